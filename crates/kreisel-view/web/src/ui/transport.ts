// Run, pause, step, step back, scrub, speed.

import type { Link } from "../link";
import type { Store } from "../store";
import { h, iconButton, setIcon } from "./dom";

export const SPEEDS = [0.01, 0.03, 0.1, 0.25, 0.5, 1, 2, 4, 0];

function speedName(speed: number): string {
  return speed === 0 ? "max" : speed < 1 ? `1/${Math.round(1 / speed)}` : `${speed}×`;
}

export class Transport {
  readonly element: HTMLElement;
  private run: HTMLButtonElement;
  private scrub = h("input", { type: "range", min: 0, max: 1, value: 0, step: 1, class: "scrub", "aria-label": "time line", "data-testid": "scrub" });
  private time = h("output", { class: "time", "data-testid": "time" });
  private hash = h("output", { class: "hash", "data-testid": "state-hash", title: "hash of the state, bit for bit" });
  private pace = h("span", { class: "pace", "data-testid": "pace" });
  private speed = h("select", { "aria-label": "speed", title: "speed (+ and −)", "data-testid": "speed" }, ...SPEEDS.map((s) => h("option", { value: s }, speedName(s))));
  private scrubbing = false;

  constructor(private readonly store: Store, private readonly link: Link) {
    this.run = iconButton("run", "run or pause (Space)", "run", () => this.toggle());
    this.scrub.addEventListener("input", () => { this.scrubbing = true; this.ask("seek", { frame: Number(this.scrub.value) }); });
    this.scrub.addEventListener("change", () => { this.scrubbing = false; });
    this.speed.addEventListener("change", () => this.ask("speed", { factor: Number(this.speed.value) }));
    this.element = h("div", { class: "transport" },
      iconButton("back", "one frame back (←)", "step-back", () => this.ask("back")), this.run,
      iconButton("step", "one frame forward (→)", "step", () => this.ask("step")),
      iconButton("reset", "back to the start", "reset", () => this.ask("reset")),
      this.scrub, this.time, this.speed, this.pace, this.hash);
    store.on("facts", () => this.update());
  }

  ask(ask: string, more: Record<string, unknown> = {}): void {
    this.link.ask({ ask, ...more });
  }

  toggle(): void {
    this.ask(this.store.status.running ? "pause" : "run");
  }

  /** The next speed up or down. */
  change(by: number): void {
    const at = SPEEDS.findIndex((s) => s === this.store.status.speed);
    const next = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, (at < 0 ? 5 : at) + by))];
    this.ask("speed", { factor: next });
  }

  private update(): void {
    const { status } = this.store;
    setIcon(this.run, status.running ? "pause" : "run");
    this.run.setAttribute("aria-pressed", String(status.running));
    if (!this.scrubbing) {
      this.scrub.max = String(Math.max(status.latest, 1));
      this.scrub.value = String(status.frame);
    }
    this.time.textContent = `${status.time.toFixed(3)} s`;
    this.hash.textContent = status.hash;
    if (document.activeElement !== this.speed) this.speed.value = String(SPEEDS.includes(status.speed) ? status.speed : 1);
    this.pace.textContent = status.running && status.pace > 0 ? `${status.pace.toFixed(2)}× real time` : `frame ${status.frame}`;
  }
}

// The page as a whole: gallery or viewer, bars, panel, messages.

import { Stage } from "../draw/stage";
import type { Link } from "../link";
import { Want } from "../protocol";
import type { Store } from "../store";
import { Touch, type Tool } from "../touch";
import { Xr } from "../xr/xr";
import { h, iconButton, short } from "./dom";
import { Events } from "./events";
import { Gallery } from "./gallery";
import { bindKeys } from "./keys";
import { Legend } from "./legend";
import { Look } from "./look";
import { Parameters } from "./parameters";
import { Plots } from "./plots";
import { Toasts } from "./toast";
import { Tools } from "./tools";
import { Transport } from "./transport";
import * as theme from "./theme";

type TabName = "look" | "touch" | "change" | "measure" | "events";

export class App {
  readonly stage: Stage;
  readonly touch: Touch;
  readonly transport: Transport;
  readonly look: Look;
  readonly tools: Tools;
  readonly plots: Plots;
  readonly parameters: Parameters;
  readonly toasts = new Toasts();
  readonly xr: Xr;
  private events: Events;
  private gallery: Gallery;
  private legend: Legend;
  private viewer: HTMLElement;
  private title = h("span", { class: "what", "data-testid": "title" });
  private facts = h("span", { class: "facts", "data-testid": "facts" });
  private problem = h("div", { class: "problem", "data-testid": "error", role: "alert", hidden: true });
  private people = h("span", { class: "people", "data-testid": "people" });
  private line = h("div", { class: "line", role: "alert", "data-testid": "line", hidden: true });
  private force = h("div", { class: "force", "data-testid": "grab-force", hidden: true });
  private panel: HTMLElement;
  private tabs = new Map<TabName, { tab: HTMLButtonElement; body: HTMLElement }>();
  private open: TabName = "look";
  private wanted = -1;
  private begun = -1;

  constructor(private readonly store: Store, private readonly link: Link) {
    const canvas = h("canvas", { class: "stage", "data-testid": "stage", tabindex: 0, "aria-label": "the scene" });
    const place = h("div", { class: "place" }, canvas, this.force);
    this.viewer = h("div", { class: "viewer" }, place);
    document.getElementById("app")?.append(this.viewer);
    this.stage = new Stage(store, canvas);
    this.touch = new Touch(store, this.stage, link);
    const seek = (frame: number) => link.ask({ ask: "seek", frame });
    this.transport = new Transport(store, link);
    this.look = new Look(store, this.stage, () => this.want(), () => this.frameSelection());
    this.tools = new Tools(store, this.stage, this.touch, link, (words) => this.toasts.say(words));
    this.plots = new Plots(store, seek);
    this.events = new Events(store, seek);
    this.gallery = new Gallery(link);
    this.legend = new Legend(this.stage.colouring, this.stage.overlays);
    this.xr = new Xr(store, this.stage, link);
    this.xr.onChange = () => this.want();
    this.parameters = new Parameters(store, link, (words) => this.toasts.say(words, "refusal"));
    this.panel = this.makePanel();
    this.viewer.append(this.topBar(), this.panel, this.legend.element, this.transport.element, this.problem, this.line, this.toasts.element);
    document.getElementById("app")?.append(this.gallery.element);
    store.on("facts", () => this.update());
    store.on("status", () => this.showForce());
    store.on("people", () => this.showPeople());
    store.on("line", () => this.showLine());
    store.on("model", () => this.begin());
    this.stage.before.push(() => this.legend.update());
    this.choose("look");
    if (innerWidth < 720) this.togglePanel(false);
    theme.apply(this.stage);
    bindKeys(this, store);
    this.update();
  }

  /** Asks for what is shown, and no more. */
  want(): void {
    let bits = this.look.wants;
    if (this.plots.visible || this.events.visible) bits |= Want.rows;
    if (this.xr.isOn) bits |= Want.contacts;
    if (bits === this.wanted) return;
    this.wanted = bits;
    this.link.ask({ ask: "want", bits });
  }

  /** Who opens a scene goes on with its keys; who changes one keeps the control under his fingers. */
  private begin(): void {
    if (this.begun === this.store.status.opened) return;
    this.begun = this.store.status.opened;
    this.stage.canvas.focus({ preventScroll: true });
  }

  /** A new line knows nothing yet. */
  hello(): void {
    this.wanted = -1;
    this.want();
  }

  togglePanel(open = Boolean(this.panel.hidden)): void {
    this.panel.hidden = !open;
    this.viewer.classList.toggle("with-panel", open);
    this.choose(this.open);
  }

  frameSelection(): void {
    const { selection } = this.touch;
    const chosen = selection?.elements && new Set(selection.elements);
    this.stage.cameras.frame((e) => !selection || (chosen ? chosen.has(e) : this.store.body[e] === selection.body));
  }

  /** The server does not do it: the reason is said, and what was moved for it goes back. */
  refuse(reason: string): void {
    this.toasts.say(reason, "refusal");
    this.parameters.restore();
  }

  private topBar(): HTMLElement {
    const tool = (name: Tool, icon: string, label: string) => {
      const button = iconButton(icon, label, `tool-${name}`, () => this.touch.setTool(this.touch.tool === name ? "look" : name));
      button.classList.add("tool");
      button.dataset.tool = name;
      return button;
    };
    const tools = [tool("look", "look", "look around"), tool("grab", "grab", "pull (or Ctrl-drag)"), tool("twist", "twist", "twist (or Ctrl-Shift-drag)"), tool("cut", "cut", "cut with a stroke"), tool("drop", "drop", "drop something new")];
    this.touch.onTool = () => tools.forEach((b) => b.setAttribute("aria-pressed", String(b.dataset.tool === this.touch.tool)));
    this.touch.onTool();
    const home = iconButton("home", "all scenes", "home", () => this.link.ask({ ask: "close" }));
    home.hidden = !this.link.isLive;
    return h("header", { class: "top" }, home, this.title, this.facts, h("span", { class: "spring" }), this.people,
      h("span", { class: "group tools" }, ...(this.link.isLive ? tools : [])),
      ...this.xr.buttons, iconButton("theme", "dark or light", "theme", () => theme.toggle(this.stage)),
      iconButton("panel", "panel (Tab)", "panel-toggle", () => this.togglePanel()));
  }

  private makePanel(): HTMLElement {
    const tab = (name: TabName, body: HTMLElement) => {
      const button = h("button", { type: "button", role: "tab", "data-testid": `tab-${name}`, onclick: () => this.choose(name) }, name);
      body.setAttribute("role", "tabpanel");
      this.tabs.set(name, { tab: button, body });
      return button;
    };
    const all = [tab("look", this.look.element), tab("touch", this.tools.element), tab("change", this.parameters.element), tab("measure", this.plots.element), tab("events", this.events.element)];
    this.viewer.classList.add("with-panel");
    return h("aside", { class: "panel", "data-testid": "panel" }, h("div", { class: "tabs", role: "tablist" }, ...all), ...[...this.tabs.values()].map((t) => t.body));
  }

  choose(name: TabName): void {
    this.open = name;
    for (const [other, { tab, body }] of this.tabs) {
      tab.setAttribute("aria-selected", String(other === name));
      body.hidden = other !== name;
    }
    const open = !this.panel.hidden;
    this.plots.visible = open && name === "measure";
    this.events.visible = open && name === "events";
    this.want();
    this.plots.draw();
    this.events.update();
  }

  private update(): void {
    const { status } = this.store;
    const inGallery = status.mode === "none";
    this.gallery.show(inGallery);
    this.viewer.hidden = inGallery;
    if (inGallery && this.store.line === "open") void this.gallery.load();
    this.title.textContent = status.title;
    document.title = inGallery ? "Kreisel" : `${status.title} · Kreisel`;
    this.facts.textContent = inGallery ? "" : this.describe();
    const trouble = status.error ?? status.problem;
    this.problem.hidden = !trouble;
    if (trouble) {
      const head = status.error ? "The step failed; the last good state is shown. " : `The scene file has a mistake${status.line ? ` in line ${status.line}` : ""}; the old scene goes on.`;
      this.problem.replaceChildren(h("b", {}, head), h("pre", {}, trouble));
    }
  }

  private describe(): string {
    const { status, store } = { status: this.store.status, store: this.store };
    const facts = [`${store.count} elements`, `${status.contacts} contacts`];
    if (status.mode === "recording") facts.unshift("recording");
    if (status.substeps) facts.push(`${status.substeps} steps a frame`, this.budget());
    if (this.stage.share < 1) facts.push(`picture at ${Math.round(100 * this.stage.share)} %`);
    facts.push(`residual ${short(100 * status.residual)} %`);
    return facts.join(" · ");
  }

  /** What a frame costs, and which share of its time that is. */
  private budget(): string {
    const { cost, interval } = this.store.status;
    return `${(1000 * cost).toFixed(1)} ms a frame (${Math.round((100 * cost) / (interval || 1))} %)`;
  }

  /** The force of what is held, beside it. */
  private showForce(): void {
    const hand = this.store.status.hands[0];
    this.force.hidden = !hand;
    if (!hand) return;
    this.force.textContent = hand.twists ? strength(Math.hypot(...hand.couple), "N m") : strength(Math.hypot(...hand.force), "N");
    const at = this.stage.cameras.camera.position.clone().set(...hand.target).project(this.stage.cameras.camera);
    const box = this.stage.canvas.getBoundingClientRect();
    this.force.style.left = `${(0.5 + 0.5 * at.x) * box.width}px`;
    this.force.style.top = `${(0.5 - 0.5 * at.y) * box.height}px`;
  }

  private showPeople(): void {
    const { people } = this.store;
    this.people.replaceChildren();
    if (!this.link.isLive || people.watchers < 2) return;
    const button = (label: string, test: string, ask: string) => h("button", { type: "button", "data-testid": test, onclick: () => this.link.ask({ ask }) }, label);
    if (this.store.iControl && people.asking !== null) {
      this.people.append(`watcher ${people.asking} asks for the controls`, button("give", "give", "give"), button("keep", "keep", "keep"));
    } else if (this.store.iControl) this.people.append(`${people.watchers} watch; you have the controls`);
    else {
      const asked = people.asking === this.store.me;
      this.people.append(`watcher ${people.holder} has the controls`, button(asked ? "asked; take them" : "take the controls", "take", "take"));
    }
  }

  private showLine(): void {
    this.line.hidden = this.store.line === "open";
    this.line.textContent = this.store.line === "refused"
      ? "This page is of another version than the program: reload it."
      : "The connection is lost. Trying again …";
  }
}

/** A force or a couple, short enough to read while it moves. */
function strength(value: number, unit: string): string {
  return value >= 1000 ? `${(value / 1000).toFixed(2)} k${unit}` : `${value < 1 ? value.toPrecision(2) : value.toFixed(1)} ${unit}`;
}

// Short messages that go away by themselves.

import { h } from "./dom";

export class Toasts {
  readonly element = h("div", { class: "toasts", role: "status", "aria-live": "polite" });

  say(text: string, kind: "note" | "refusal" = "note"): void {
    const same = [...this.element.children].find((c) => c.textContent === text);
    same?.remove();
    const toast = h("div", { class: `toast ${kind}`, "data-testid": kind }, text);
    this.element.append(toast);
    while (this.element.children.length > 3) this.element.firstElementChild?.remove();
    setTimeout(() => toast.remove(), 5000);
  }
}

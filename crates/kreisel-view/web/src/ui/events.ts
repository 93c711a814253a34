// The tab "events": what happened; a click goes to the moment.

import type { Store } from "../store";
import { h } from "./dom";

export class Events {
  readonly element: HTMLElement;
  private list = h("ol", { class: "events", "data-testid": "events" });
  private shown = 0;
  visible = false;

  constructor(private readonly store: Store, private readonly seek: (frame: number) => void) {
    this.element = h("section", {}, this.list);
    store.on("events", () => this.update());
  }

  update(): void {
    if (!this.visible) return;
    const { events } = this.store;
    if (events.length < this.shown || this.shown === 0) {
      this.shown = 0;
      this.list.replaceChildren();
    }
    const fresh = events.slice(Math.max(this.shown, events.length - 400));
    this.shown = events.length;
    for (const event of fresh) {
      const label = `${event.time.toFixed(3)} s  ${event.word}`;
      this.list.prepend(h("li", {}, h("button", { type: "button", onclick: () => this.seek(event.frame) }, h("b", {}, label), h("span", {}, event.detail))));
    }
    while (this.list.childElementCount > 400) this.list.lastElementChild?.remove();
    if (!events.length) this.list.replaceChildren(h("p", { class: "quiet" }, "Nothing has touched, parted, broken or switched yet."));
  }
}

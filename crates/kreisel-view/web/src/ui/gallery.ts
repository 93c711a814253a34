// The gallery: a picture and a title for every scene; one click and it moves.

import type { Link } from "../link";
import { h } from "./dom";

interface Item { name: string; title: string; about: string }

export class Gallery {
  readonly element: HTMLElement;
  private items = h("div", { class: "items" });
  private loaded = false;

  constructor(private readonly link: Link) {
    const search = h("input", { type: "search", placeholder: "Find a scene", "aria-label": "Find a scene", "data-testid": "gallery-search", oninput: () => this.filter(search.value) });
    this.element = h("main", { class: "gallery", "data-testid": "gallery" },
      h("header", {}, h("div", {}, h("h1", {}, "Kreisel"), h("p", {}, "Rigid and soft bodies are one thing. Choose a scene; then reach in: Ctrl-drag pulls whatever is under the pointer.")), search),
      this.items);
  }

  async load(): Promise<void> {
    if (this.loaded) return;
    this.loaded = true;
    try {
      const answer = await fetch("api/gallery");
      const items = (await answer.json()) as Item[];
      const first = ["lever", "tumbling-top", "sculpt", "stairs"];
      const rank = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length);
      items.sort((a, b) => rank(a.name) - rank(b.name));
      this.items.replaceChildren(...items.map((item) => this.card(item)));
    } catch {
      this.loaded = false;
      this.items.replaceChildren(h("p", {}, "The list of scenes could not be fetched. Is the program still running?"));
    }
  }

  private card({ name, title }: Item): HTMLElement {
    const picture = h("img", { src: `api/picture/${name}.png`, alt: "", loading: "lazy", width: 360, height: 240 });
    return h("button", { class: "card", type: "button", "data-testid": "gallery-item", "data-scene": name, onclick: (event) => this.open(name, event.currentTarget as HTMLElement) },
      picture, h("span", { class: "title" }, title), h("span", { class: "name" }, name));
  }

  /** Large scenes take a moment to build. */
  private open(scene: string, card: HTMLElement): void {
    for (const other of this.items.children) other.classList.remove("opening");
    card.classList.add("opening");
    setTimeout(() => card.classList.remove("opening"), 20000);
    this.link.ask({ ask: "open", scene });
  }

  private filter(text: string): void {
    const words = text.toLowerCase().split(/\s+/);
    for (const card of this.items.children) {
      const about = card.textContent?.toLowerCase() ?? "";
      (card as HTMLElement).hidden = !words.every((word) => about.includes(word));
    }
  }
}

// The gallery: a picture and a title for every scene; one click and it moves.

import type { Link } from "../link";
import { h } from "./dom";

/** Pictures that are fetched at the same time, and when to ask again for one that was not drawn [ms]. */
const AT_ONCE = 2;
const AGAIN = 1500;

interface Item { name: string; title: string; about: string }

/** How things are pulled: a finger has no Ctrl. */
const REACH = matchMedia("(pointer: coarse)").matches ? "with the hand chosen, drag whatever is under the finger." : "Ctrl\u2011drag pulls whatever is under the pointer.";

export class Gallery {
  readonly element: HTMLElement;
  private items = h("div", { class: "items" });
  private loaded = false;
  /** Pictures that are still to be fetched, by scene. */
  private missing = new Map<string, HTMLImageElement>();
  private fetching = new Set<HTMLImageElement>();

  constructor(private readonly link: Link) {
    const search = h("input", { type: "search", placeholder: "Find a scene", "aria-label": "Find a scene", "data-testid": "gallery-search", oninput: () => this.filter(search.value) });
    this.element = h("main", { class: "gallery", "data-testid": "gallery" },
      h("header", {}, h("div", {}, h("h1", {}, "Kreisel"), h("p", {}, `Rigid and soft bodies are one thing. Choose a scene; then reach in: ${REACH}`)), search),
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
      this.fetchNext();
    } catch {
      this.loaded = false;
      this.items.replaceChildren(h("p", {}, "The list of scenes could not be fetched. Is the program still running?"));
    }
  }

  private card({ name, title }: Item): HTMLElement {
    const picture = h("img", { alt: "", width: 360, height: 240 });
    this.missing.set(name, picture);
    return h("button", { class: "card", type: "button", "data-testid": "gallery-item", "data-scene": name, onclick: (event) => this.open(name, event.currentTarget as HTMLElement) },
      picture, h("span", { class: "title" }, title), h("span", { class: "name" }, name));
  }

  /** Shows or hides the gallery; pictures are fetched while it is seen, a few at a time. */
  show(on: boolean): void {
    if (this.element.hidden === !on) return;
    this.element.hidden = !on;
    if (on) return this.fetchNext();
    // Browsers have few lines to one server: who leaves frees them.
    for (const picture of this.fetching) picture.removeAttribute("src");
    this.fetching.clear();
  }

  private fetchNext(): void {
    if (this.element.hidden) return;
    for (const [name, picture] of this.missing) {
      if (this.fetching.size >= AT_ONCE) return;
      if (this.fetching.has(picture)) continue;
      this.fetching.add(picture);
      picture.onload = () => { this.missing.delete(name); this.fetching.delete(picture); this.fetchNext(); };
      picture.onerror = () => setTimeout(() => { this.fetching.delete(picture); this.fetchNext(); }, AGAIN);
      picture.src = `api/picture/${name}.png`;
    }
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

// The page begins: with a recording inside it, or with a line to the server.

import { Film, Live, type Link, type Listener } from "./link";
import { Store } from "./store";
import { App } from "./ui/app";
import "./style.css";

const store = new Store();
let app: App | null = null;

const listener: Listener = {
  message: (buffer) => store.read(buffer),
  word: (word) => {
    if (word.hello) {
      store.me = (word.hello as { id: number }).id;
      app?.hello();
    }
    if (typeof word.refused === "string") app?.refuse(word.refused);
    if (word.film) {
      Object.assign(store.status, word.film as object);
      film?.setInterval(store.status.interval);
      store.tell("status");
      store.tell("facts");
    }
    if (typeof word.pong === "number") dispatchEvent(new CustomEvent("kreisel-pong", { detail: word.pong }));
  },
  line: (state) => {
    store.line = state;
    store.tell("line");
    store.tell("facts");
  },
};

const recording = document.getElementById("recording")?.textContent;
const film = recording ? new Film(listener) : null;
const link: Link = film ?? new Live(listener);
try {
  app = new App(store, link);
} catch (error) {
  const words = document.createElement("p");
  words.className = "sorry";
  words.dataset.testid = "error";
  words.textContent = `This browser cannot draw the scene: WebGL 2 is missing or switched off. (${String(error)})`;
  document.getElementById("app")?.replaceChildren(words);
}
if (film && recording) void film.load(recording).then(() => link.ask({ ask: "run" }));

// For tests and for the curious.
Object.assign(window, { kreisel: { store, app, link } });

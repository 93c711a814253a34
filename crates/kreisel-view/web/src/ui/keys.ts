// Keys, as in MuJoCo where the meaning is the same.

import type { Store } from "../store";
import type { App } from "./app";

export function bindKeys(app: App, store: Store): void {
  // Who clicks with the mouse goes on with the keys of the scene, not with those of the button.
  addEventListener("click", (event) => {
    const active = document.activeElement;
    if (event.detail > 0 && (active instanceof HTMLButtonElement || (active instanceof HTMLInputElement && active.type === "checkbox"))) active.blur();
  });
  addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    const typing = target instanceof HTMLInputElement && target.type !== "range" && target.type !== "checkbox";
    if (typing || target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey || store.status.mode === "none") return;
    // Buttons answer to Space, sliders to arrows, and Tab walks from control to control once one is reached.
    const onControl = target instanceof HTMLButtonElement || target instanceof HTMLInputElement;
    const act = action(app, event.key, onControl, event.shiftKey);
    if (!act) return;
    event.preventDefault();
    act();
  });
}

function action(app: App, key: string, onControl: boolean, shift: boolean): (() => void) | null {
  switch (key) {
    case " ": return onControl ? null : () => app.transport.toggle();
    case "ArrowRight": return onControl ? null : () => app.transport.ask("step");
    case "ArrowLeft": return onControl ? null : () => app.transport.ask("back");
    case "+": case "=": return () => app.transport.change(1);
    case "-": return () => app.transport.change(-1);
    case "Tab": return onControl || shift ? null : () => app.togglePanel();
    case "Backspace": return () => app.transport.ask("reset");
    case "c": case "C": return () => app.look.toggle("contacts");
    case "f": case "F": return () => app.look.toggle("forces");
    case "t": case "T": return () => app.look.toggle("transparent");
    case "w": case "W": return () => app.look.toggle("wireframe");
    case "x": case "X": return () => app.look.setShow(app.stage.show === "connections" ? "skins" : "connections");
    case "e": case "E": return () => app.look.setShow(app.stage.show === "elements" ? "skins" : "elements");
    case "r": case "R": return () => app.tools.withSelection("make-rigid");
    case "s": case "S": return () => app.tools.withSelection("make-soft");
    case ".": return () => app.frameSelection();
    case "Escape": return () => { app.touch.setTool("look"); app.touch.select(null); };
    default: return null;
  }
}

// Dark and light: as the system says, until the user says otherwise.

import type { Stage } from "../draw/stage";

const KEY = "kreisel-theme";

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function current(): "dark" | "light" {
  const said = stored();
  if (said === "dark" || said === "light") return said;
  return matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
}

export function apply(stage: Stage): void {
  const theme = current();
  document.documentElement.dataset.theme = theme;
  if (theme === "light") stage.setTheme("#e9edf2", "#d8d5cd", "#e9edf2");
  else stage.setTheme("#14181e", "#4a4d50", "#14181e");
}

export function toggle(stage: Stage): void {
  const next = current() === "dark" ? "light" : "dark";
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Pages from disk may not remember.
  }
  apply(stage);
}

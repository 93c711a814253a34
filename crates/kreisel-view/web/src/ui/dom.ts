// A little help with the page.

type Attributes = Record<string, string | number | boolean | ((event: Event) => void) | undefined>;

/** An element with attributes, listeners (`onclick`) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(name: K, attributes: Attributes = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== undefined) element.setAttribute(key, String(value));
  }
  element.append(...children);
  return element;
}

/** A number with four digits. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size < 1e-3 || size >= 1e5) return value.toExponential(2);
  return value.toPrecision(4);
}

/** A number with its unit; pascals with a prefix. */
export function quantity(value: number, unit: string): string {
  const prefix = unit !== "Pa" ? null : ([[1e9, "G"], [1e6, "M"], [1e3, "k"]] as const).find(([size]) => Math.abs(value) >= size);
  return prefix ? `${short(value / prefix[0])} ${prefix[1]}${unit}` : `${short(value)} ${unit}`;
}

const ICONS: Record<string, string> = {
  run: "M7 4v16l13-8z", pause: "M6 4h4v16H6zM14 4h4v16h-4z", step: "M5 4v16l9-8zM16 4h3v16h-3z", back: "M19 4v16l-9-8zM5 4h3v16H5z",
  reset: "M12 5a7 7 0 1 1-6.6 4.7l1.9.7A5 5 0 1 0 12 7v3L7 6l5-4z", panel: "M3 5h18v2H3zM3 11h18v2H3zM3 17h18v2H3z",
  home: "M4 11l8-7 8 7v9h-6v-6h-4v6H4z", theme: "M12 3a9 9 0 1 0 0 18V3z", camera: "M4 7h4l2-2h4l2 2h4v12H4zM12 9a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
  grab: "M8 12V6a1.3 1.3 0 0 1 2.6 0v5-7a1.3 1.3 0 0 1 2.6 0v7-6a1.3 1.3 0 0 1 2.6 0v7-4a1.3 1.3 0 0 1 2.6 0v6c0 4-2.500 7-6 7-3 0-4.500-1.500-6-4l-2.600-4.500c-.7-1.200 1-2.400 2-1.300z",
  cut: "M6 4a3 3 0 1 0 1.700 5.500L11 12l-3.300 2.500A3 3 0 1 0 9 17l12-9V6l-8 5-3-2.300A3 3 0 0 0 6 4z",
  twist: "M12 4a8 8 0 0 1 7.700 5.800l-2 .6A6 6 0 0 0 12 6V9L7 5l5-4zM12 20a8 8 0 0 1-7.700-5.800l2-.6A6 6 0 0 0 12 18v-3l5 4-5 4z",
  drop: "M11 3h2v9h4l-5 6-5-6h4zM5 19h14v2H5z", look: "M12 5c5 0 9 5 10 7-1 2-5 7-10 7S3 14 2 12c1-2 5-7 10-7zm0 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
  ar: "M4 4h5v2H6v3H4zM15 4h5v5h-2V6h-3zM4 15h2v3h3v2H4zM18 15h2v5h-5v-2h3zM12 7l4.500 2.500v5L12 17l-4.500-2.500v-5z",
  vr: "M3 7h18v10h-6l-2-3h-2l-2 3H3zM8 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4zm8 0a2 2 0 1 0 0 4 2 2 0 0 0 0-4z", keep: "M6 3h12v18l-6-4-6 4z",
};

/** A button with an icon; the label is for those who cannot see it, and a hint for those who can. */
export function iconButton(icon: string, label: string, test: string, onclick: () => void): HTMLButtonElement {
  const button = h("button", { class: "icon", title: label, "aria-label": label, "data-testid": test, type: "button", onclick });
  setIcon(button, icon);
  return button;
}

export function setIcon(button: HTMLElement, icon: string): void {
  if (button.dataset.icon === icon) return;
  button.dataset.icon = icon;
  button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[icon]}" fill="currentColor"/></svg>`;
}

/** Hands a file to the user. */
export function download(name: string, contents: BlobPart, kind: string): void {
  const url = URL.createObjectURL(new Blob([contents], { type: kind }));
  const link = h("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// Where messages come from: a server, with reconnection; or a recording inside the page.

import { VERSION } from "./protocol";

export type Request = Record<string, unknown> & { ask: string };

export interface Listener {
  message(buffer: ArrayBuffer): void;
  word(word: Record<string, unknown>): void;
  line(state: "open" | "lost" | "refused"): void;
}

/** Something that can be asked. */
export interface Link {
  readonly isLive: boolean;
  ask(request: Request): void;
}

/** A line to the server. When it breaks, it is built up again. */
export class Live implements Link {
  readonly isLive = true;
  private socket: WebSocket | null = null;
  private wait = 250;

  constructor(private readonly listener: Listener) {
    this.connect();
  }

  ask(request: Request): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(request));
  }

  /** Cuts the line, as when the network fails. */
  cut(): void {
    this.socket?.close();
  }

  private connect(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/socket${location.search}`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.wait = 250;
      this.listener.line("open");
    };
    socket.onmessage = (event) => {
      if (typeof event.data === "string") this.read(event.data);
      else this.listener.message(event.data as ArrayBuffer);
    };
    socket.onclose = () => {
      this.listener.line("lost");
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(2 * this.wait, 4000);
    };
  }

  private read(text: string): void {
    const word = JSON.parse(text) as Record<string, unknown>;
    const hello = word.hello as { protocol: number } | undefined;
    if (hello && hello.protocol !== VERSION) this.listener.line("refused");
    this.listener.word(word);
  }
}

/** A recording inside the page, played here. */
export class Film implements Link {
  readonly isLive = false;
  private frames: ArrayBuffer[] = [];
  private at = 0;
  private running = false;
  private speed = 1;
  private due = 0;
  private interval = 1 / 60;
  private sent = -1;

  constructor(private readonly listener: Listener) {}

  async load(text: string): Promise<void> {
    const packed = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const all = await new Response(stream).arrayBuffer();
    const view = new DataView(all);
    for (let at = 0; at + 4 <= all.byteLength; ) {
      const length = view.getUint32(at, true);
      this.frames.push(all.slice(at + 4, at + 4 + length));
      at += 4 + length;
    }
    const tables = this.frames.shift();
    this.listener.line("open");
    if (tables) this.listener.message(tables);
    this.show(0);
    const tick = (now: number) => {
      this.tick(now);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  ask(request: Request): void {
    switch (request.ask) {
      case "run": this.running = true; this.due = performance.now(); if (this.at >= this.frames.length - 1) this.at = 0; break;
      case "pause": this.running = false; break;
      case "step": this.running = false; this.at = Math.min(this.at + 1, this.frames.length - 1); break;
      case "back": this.running = false; this.at = Math.max(this.at - 1, 0); break;
      case "seek": this.running = false; this.at = Math.min(Math.max(Number(request.frame), 0), this.frames.length - 1); break;
      case "reset": this.at = 0; break;
      case "speed": this.speed = Number(request.factor) || 100; this.due = performance.now(); break;
      default: break;
    }
    this.show(this.at);
  }

  setInterval(seconds: number): void {
    if (seconds > 0) this.interval = seconds;
  }

  private tick(now: number): void {
    if (!this.running) return;
    const step = (1000 * this.interval) / this.speed;
    let next = this.at;
    while (this.due + step <= now && next < this.frames.length - 1) {
      this.due += step;
      next += 1;
    }
    if (next >= this.frames.length - 1) this.running = false;
    if (next !== this.at || !this.running) this.show(next);
  }

  /** Shows a frame; sections that only came with an earlier one are sent along when time jumps. */
  private show(next: number): void {
    const from = next === this.sent + 1 || next === this.sent ? next : 0;
    for (let i = from; i < next; i++) this.listener.message(this.frames[i]);
    this.at = next;
    this.sent = next;
    const frame = this.frames[next];
    if (frame) this.listener.message(frame);
    this.listener.word({ film: { running: this.running, speed: this.speed } });
  }
}

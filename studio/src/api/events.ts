/** The events socket: reconnects by itself, and tells when it has been away so that views can load again. */
import type { ClientEvent, ServerEvent } from "./types";

export type SocketState = "connecting" | "open" | "lost";
type Handlers = { [K in ServerEvent["type"]]?: Set<(event: Extract<ServerEvent, { type: K }>) => void> };

/** Waits between attempts, in ms: quick at first (a restarted server), then patient. */
export function retryDelay(attempt: number): number {
  return Math.min(8000, 300 * 2 ** Math.min(attempt, 5));
}

export class EventStream {
  state: SocketState = "connecting";
  private socket: WebSocket | null = null;
  private attempt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;
  private readonly handlers: Handlers = {};
  private readonly stateHandlers = new Set<(state: SocketState, again: boolean) => void>();
  private opened = 0;

  constructor(private readonly url: string) {
    this.connect();
  }

  /** Calls `handler` for each event of the type; the returned function stops that. */
  on<K extends ServerEvent["type"]>(type: K, handler: (event: Extract<ServerEvent, { type: K }>) => void): () => void {
    const set = (this.handlers[type] ??= new Set() as never) as Set<typeof handler>;
    set.add(handler);
    return () => set.delete(handler);
  }

  /** `again` is true when the socket opened after having been lost: what was loaded before may be out of date. */
  onState(handler: (state: SocketState, again: boolean) => void): () => void {
    this.stateHandlers.add(handler);
    return () => this.stateHandlers.delete(handler);
  }

  /** Resolves when the socket opens next; rejects when `signal` gives up. */
  back(signal?: AbortSignal | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = this.onState((state) => {
        if (state !== "open") return;
        done();
        resolve();
      });
      const give = () => {
        done();
        reject(new DOMException("given up", "AbortError"));
      };
      const done = () => {
        stop();
        signal?.removeEventListener("abort", give);
      };
      if (signal?.aborted) give();
      else signal?.addEventListener("abort", give);
    });
  }

  /** False when the socket is not open; the caller then asks over HTTP. */
  send(event: ClientEvent): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(event));
    return true;
  }

  /** A new socket at once, where the old one belongs to a project that is not open any more. */
  reconnect(): void {
    const old = this.socket;
    this.socket = null;
    clearTimeout(this.timer);
    this.connect();
    old?.close();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  private connect(): void {
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => {
      this.attempt = 0;
      this.opened += 1;
      this.setState("open");
    };
    socket.onmessage = (message) => this.receive(message.data);
    socket.onclose = () => {
      if (this.closed || socket !== this.socket) return;
      this.setState("lost");
      this.timer = setTimeout(() => this.connect(), retryDelay(this.attempt++));
    };
  }

  private receive(data: unknown): void {
    let event: ServerEvent;
    try {
      event = JSON.parse(String(data)) as ServerEvent;
    } catch {
      return; // a text we do not understand is no reason to stop listening
    }
    const set = this.handlers[event.type] as Set<(event: ServerEvent) => void> | undefined;
    set?.forEach((handler) => handler(event));
  }

  private setState(state: SocketState): void {
    this.state = state;
    this.stateHandlers.forEach((handler) => handler(state, state === "open" && this.opened > 1));
  }
}

/** Address of the socket next to the page. */
export function eventsUrl(location: { protocol: string; host: string }): string {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/events`;
}

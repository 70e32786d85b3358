/** A WebSocket whose wire is held by the main thread: what Deno.upgradeWebSocket gives to a function. */

const { CloseEvent, Event, EventTarget, MessageEvent, Response, Uint8Array, Blob, ArrayBuffer } = globalThis;

type Data = string | Uint8Array;

const CONNECTING = 0;
const OPEN = 1;
const CLOSING = 2;
const CLOSED = 3;

export class ServerSocket extends EventTarget {
  readonly CONNECTING = CONNECTING;
  readonly OPEN = OPEN;
  readonly CLOSING = CLOSING;
  readonly CLOSED = CLOSED;
  readonly url = "";
  readonly extensions = "";
  readonly bufferedAmount = 0;
  binaryType: BinaryType = "blob";
  protocol = "";
  readyState = CONNECTING;
  onopen: ((event: Event) => unknown) | null = null;
  onmessage: ((event: MessageEvent) => unknown) | null = null;
  onclose: ((event: CloseEvent) => unknown) | null = null;
  onerror: ((event: Event) => unknown) | null = null;

  #send: (data: Data) => void = () => {};
  #close: (code: number, reason: string) => void = () => {};

  constructor() {
    super();
    for (const type of ["open", "message", "close", "error"] as const) {
      this.addEventListener(type, (event) => (this[`on${type}`] as ((event: Event) => unknown) | null)?.(event));
    }
  }

  attach(send: (data: Data) => void, close: (code: number, reason: string) => void): void {
    this.#send = send;
    this.#close = close;
  }

  send(data: string | ArrayBufferLike | ArrayBufferView | Blob): void {
    if (this.readyState === CONNECTING) throw new DOMException("the socket is not open yet", "InvalidStateError");
    if (this.readyState !== OPEN) return;
    if (typeof data === "string") return this.#send(data);
    if (data instanceof Blob) return void data.arrayBuffer().then((bytes) => this.#send(new Uint8Array(bytes)));
    if (data instanceof ArrayBuffer) return this.#send(new Uint8Array(data.slice(0)));
    const view = data as ArrayBufferView;
    this.#send(new Uint8Array(new Uint8Array(view.buffer, view.byteOffset, view.byteLength)));
  }

  close(code = 1000, reason = ""): void {
    if (code !== 1000 && !(code >= 3000 && code <= 4999)) {
      throw new DOMException(`the close code ${code} is neither 1000 nor from 3000 to 4999`, "InvalidAccessError");
    }
    if (this.readyState >= CLOSING) return;
    this.readyState = CLOSING;
    this.#close(code, reason);
  }

  opened(protocol: string): void {
    this.protocol = protocol;
    this.readyState = OPEN;
    this.dispatchEvent(new Event("open"));
  }

  received(data: Data): void {
    if (this.readyState !== OPEN) return;
    const shown = typeof data === "string"
      ? data
      : this.binaryType === "blob"
      ? new Blob([data as BlobPart])
      : data.buffer;
    this.dispatchEvent(new MessageEvent("message", { data: shown }));
  }

  closed(code: number, reason: string, wasClean: boolean): void {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    if (!wasClean) this.dispatchEvent(new Event("error"));
    this.dispatchEvent(new CloseEvent("close", { code, reason, wasClean }));
  }
}

interface Upgrade {
  socket: ServerSocket;
  protocol: string;
}

const upgrades = new WeakMap<Response, Upgrade>();

/** In the place of Deno.upgradeWebSocket; the upgrade happens when the function returns the response. */
export function upgradeWebSocket(
  request: Request,
  options: Deno.UpgradeWebSocketOptions = {},
): { socket: ServerSocket; response: Response } {
  if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
    throw new TypeError("Invalid Header: 'upgrade' header must contain 'websocket'");
  }
  const socket = new ServerSocket();
  const response = new Response();
  upgrades.set(response, { socket, protocol: options.protocol ?? "" });
  return { socket, response };
}

/** The WebSocket that a response stands for. */
export function takeUpgrade(response: Response): Upgrade | undefined {
  const upgrade = upgrades.get(response);
  upgrades.delete(response);
  return upgrade;
}

/**
 * One request on its way through the function: the main thread's side. It owns the client's connection; whatever the
 * function does or fails to do, the client gets exactly one answer, within the wall clock.
 */
import { Failure } from "./failure.ts";
import { announced, endToEnd } from "./head.ts";
import { Pairs, PIECE_BYTES, ToFunction, WINDOW_BYTES } from "./protocol.ts";
import { Timer } from "./timer.ts";

/** Where an answer without a body may come from, by the fetch standard. */
const WITHOUT_BODY = new Set([204, 205, 304]);

export interface Limits {
  wallClockMs: number;
  responseLimit: number;
}

/** What an exchange needs of the thread that the function runs on. */
export interface Peer {
  send(message: ToFunction, transfer?: Transferable[]): void;
}

type State = "waiting" | "streaming" | "socket" | "done";

export class Exchange {
  readonly id: number;
  readonly requestId: string;
  readonly response: Promise<Response>;
  readonly started = performance.now();
  /** The status that was sent to the client; 0 before. */
  status = 0;
  /** Called once, when nothing is left to do; the reason is empty when all went well. */
  onDone: (failure: Failure | undefined) => void = () => {};

  #peer: Peer;
  #limits: Limits;
  #request: Request;
  #state: State = "waiting";
  #resolve!: (response: Response) => void;
  #reject!: (failure: Failure) => void;
  #timer: Timer;
  #bodyReader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #bodyCredit = WINDOW_BYTES;
  #bodyWanted: (() => void) | undefined;
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  #sent = 0;
  #socket: WebSocket | undefined;

  constructor(
    id: number,
    requestId: string,
    request: Request,
    limits: Limits,
    peer: Peer,
    onTimeout: (exchange: Exchange) => void,
  ) {
    this.id = id;
    this.requestId = requestId;
    this.#request = request;
    this.#limits = limits;
    this.#peer = peer;
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#timer = setTimeout(() => onTimeout(this), limits.wallClockMs);
  }

  get done(): boolean {
    return this.#state === "done";
  }

  /** Hands the request to the function. */
  begin(url: string): void {
    const request = this.#request;
    const body = request.body;
    this.#peer.send({
      t: "request",
      id: this.id,
      requestId: this.requestId,
      method: request.method,
      url,
      headers: [...request.headers],
      body: body !== null,
    });
    if (body !== null) void this.#sendBody(body);
  }

  /** The client is gone: the function is notified, and whatever it still answers is dropped. */
  disconnect(): void {
    if (this.done) return;
    this.#peer.send({ t: "abort", id: this.id, message: "the client closed the connection" });
    this.#finish(undefined);
    this.#resolve(new Response(null, { status: 499 }));
  }

  /** Ends the exchange from our side: an error answer when none has begun, else a broken connection. */
  fail(failure: Failure): void {
    if (this.done) return;
    const state = this.#state;
    this.#finish(failure);
    if (state === "waiting") this.#reject(failure);
    if (state === "streaming") this.#errorStream(failure);
    if (state === "socket") closeQuietly(this.#socket, 1011, failure.message);
  }

  /** Ends it like `fail`, and tells the function, which goes on living. */
  abort(failure: Failure): void {
    if (this.done) return;
    this.#peer.send({ t: "abort", id: this.id, message: failure.message });
    this.fail(failure);
  }

  head(status: number, statusText: string, headers: Pairs, hasBody: boolean): void {
    if (this.#state !== "waiting") return;
    if (status < 200 || status > 599) return this.abort(invalid(`the function answered with the status ${status}`));
    const withBody = hasBody && !WITHOUT_BODY.has(status) && this.#request.method !== "HEAD";
    let clean: Headers;
    try {
      clean = endToEnd(headers);
      if (!withBody) clean.delete("content-length");
      if (announced(clean) > this.#limits.responseLimit) return this.abort(this.#tooLarge());
      new Response(null, { statusText });
    } catch (error) {
      return this.abort(invalid(`the function answered with a header that is none: ${(error as Error).message}`));
    }
    this.status = status;
    this.#state = "streaming";
    const body = withBody
      ? new ReadableStream<Uint8Array>({
        start: (controller) => void (this.#stream = controller),
        cancel: () => this.disconnect(),
      }, { highWaterMark: WINDOW_BYTES, size: (chunk) => chunk?.byteLength ?? 0 })
      : null;
    this.#resolve(new Response(body, { status, statusText, headers: clean }));
  }

  /** An answer that came in one piece. */
  whole(status: number, statusText: string, headers: Pairs, data: Uint8Array): void {
    if (this.#state !== "waiting" || data.byteLength > this.#limits.responseLimit) {
      this.head(status, statusText, headers, true);
      this.chunk(data);
      return this.end();
    }
    let answer: Response;
    try {
      // The server sets the length of a body that it is given whole.
      const clean = endToEnd(headers);
      clean.delete("content-length");
      const bare = WITHOUT_BODY.has(status) || this.#request.method === "HEAD";
      answer = new Response(bare ? null : data as BodyInit, { status, statusText, headers: clean });
    } catch (error) {
      return this.fail(invalid(`the function answered with what is no answer: ${(error as Error).message}`));
    }
    this.status = status;
    this.#finish(undefined);
    this.#resolve(answer);
  }

  chunk(data: Uint8Array): void {
    if (this.#state !== "streaming") return;
    this.#sent += data.byteLength;
    if (this.#sent > this.#limits.responseLimit) return this.abort(this.#tooLarge());
    if (this.#stream === undefined) return this.#credit(data.byteLength);
    this.#stream.enqueue(data);
    void this.#creditWhenTaken(data.byteLength);
  }

  end(): void {
    if (this.#state !== "streaming") return;
    this.#finish(undefined);
    try {
      this.#stream?.close();
    } catch {
      // The client closed it first.
    }
  }

  /** The function wants a WebSocket for an answer. */
  upgrade(protocol: string): void {
    if (this.#state !== "waiting") return;
    let upgraded: Deno.WebSocketUpgrade;
    try {
      upgraded = Deno.upgradeWebSocket(this.#request, protocol === "" ? {} : { protocol });
    } catch (error) {
      return this.abort(invalid(`no WebSocket: ${(error as Error).message}`));
    }
    this.status = 101;
    this.#state = "socket";
    const socket = this.#socket = upgraded.socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => this.#peer.send({ t: "socketOpen", id: this.id, protocol: socket.protocol });
    socket.onmessage = ({ data }) => {
      const piece = typeof data === "string" ? data : new Uint8Array(data as ArrayBuffer);
      this.#peer.send({ t: "socketMessage", id: this.id, data: piece });
    };
    socket.onclose = ({ code, reason, wasClean }) => {
      this.#peer.send({ t: "socketClosed", id: this.id, code, reason, clean: wasClean });
      this.#finish(undefined);
    };
    socket.onerror = (event) => event.preventDefault?.();
    this.#resolve(upgraded.response);
  }

  socketSend(data: string | Uint8Array): void {
    const socket = this.#socket;
    if (socket === undefined || socket.readyState !== WebSocket.OPEN) return;
    if (socket.bufferedAmount > 16 * WINDOW_BYTES) {
      return this.abort(new Failure("function_response_too_large", "the client does not read its WebSocket"));
    }
    socket.send(data as string);
  }

  socketClose(code: number, reason: string): void {
    closeQuietly(this.#socket, code, reason);
  }

  /** The function has read so much of the request's body. */
  bodyCredit(bytes: number): void {
    this.#bodyCredit = Math.min(this.#bodyCredit + bytes, WINDOW_BYTES);
    if (this.#bodyCredit > 0) this.#bodyWanted?.();
  }

  async #sendBody(body: ReadableStream<Uint8Array>): Promise<void> {
    const reader = this.#bodyReader = body.getReader();
    try {
      while (!this.done) {
        const { value, done } = await reader.read();
        if (this.done) return;
        if (done) return this.#peer.send({ t: "bodyEnd", id: this.id });
        for (let at = 0; at < value.byteLength; at += PIECE_BYTES) {
          while (this.#bodyCredit <= 0) await new Promise<void>((resolve) => this.#bodyWanted = resolve);
          if (this.done) return;
          const piece = value.slice(at, at + PIECE_BYTES);
          this.#bodyCredit -= piece.byteLength;
          this.#peer.send({ t: "body", id: this.id, data: piece }, [piece.buffer]);
        }
      }
    } catch (error) {
      if (!this.done) this.#peer.send({ t: "bodyError", id: this.id, message: String((error as Error).message) });
    }
  }

  async #creditWhenTaken(bytes: number): Promise<void> {
    const stream = this.#stream!;
    // Waiting costs a timer only where the client reads more slowly than the function writes.
    while (!this.done && (stream.desiredSize ?? 1) <= 0) await new Promise((resolve) => setTimeout(resolve, 5));
    this.#credit(bytes);
  }

  #credit(bytes: number): void {
    if (!this.done) this.#peer.send({ t: "credit", id: this.id, bytes });
  }

  #tooLarge(): Failure {
    const limit = this.#limits.responseLimit;
    return new Failure("function_response_too_large", `the function's answer is longer than ${limit} bytes`);
  }

  #errorStream(failure: Failure): void {
    try {
      this.#stream?.error(failure);
    } catch {
      // Closed already.
    }
  }

  #finish(failure: Failure | undefined): void {
    if (this.done) return;
    this.#state = "done";
    clearTimeout(this.#timer);
    this.#bodyWanted?.();
    this.#bodyReader?.cancel().catch(() => {});
    this.onDone(failure);
  }
}

function invalid(message: string): Failure {
  return new Failure("function_invalid_response", message);
}

function closeQuietly(socket: WebSocket | undefined, code: number, reason: string): void {
  const allowed = code === 1000 || (code >= 3000 && code <= 4999);
  try {
    // A reason is at most 123 bytes on the wire.
    if (allowed) socket?.close(code, reason.slice(0, 40));
    else socket?.close();
  } catch {
    // Closed already.
  }
}

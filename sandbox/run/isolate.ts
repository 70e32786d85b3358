/**
 * One thread that runs the function, with the least permissions that it needs, and the requests that are under way on
 * it. When the thread hangs, dies or breaks the protocol it is ended, and each of its requests fails with that reason.
 */
import { Bundle } from "./archive.ts";
import { Exchange } from "./exchange.ts";
import { Failure } from "./failure.ts";
import { Log } from "./logs.ts";
import { Places } from "./places.ts";
import { FromFunction, MalformedMessage, readMessages, Start, ToFunction } from "./protocol.ts";
import { Timer } from "./timer.ts";

const MAX_REPORT = 1_000;
const PING_MS = 250;

export interface IsolateLimits {
  bootMs: number;
  blockedMs: number;
}

/** How an attempt to load the function ended. */
export type Loaded = { ok: true } | { ok: false; message: string; stack: string };

export class Isolate {
  /** Settles when the function is loaded, or cannot be. */
  readonly loaded: Promise<Loaded>;
  /** Called once, when the thread has ended after it was loaded. */
  onEnd: () => void = () => {};

  #worker: Worker;
  #port: MessagePort;
  #log: Log;
  #places: Places | undefined;
  #limits: IsolateLimits;
  #exchanges = new Map<number, Exchange>();
  #settleLoaded!: (loaded: Loaded) => void;
  #bootTimer: Timer | undefined;
  #pinger: Timer | undefined;
  #pings = 0;
  #unanswered: number | undefined;
  #drained: (() => void) | undefined;
  #ended = false;

  /** Begins to load a function; its code may come while the thread starts. */
  constructor(code: Promise<Bundle>, gateway: string, limits: IsolateLimits, log: Log) {
    this.#log = log;
    this.#limits = limits;
    const sockets = gateway === "" ? false : [gateway];
    this.#worker = new Worker(new URL("./isolate/main.ts", import.meta.url), {
      type: "module",
      name: "function",
      deno: {
        permissions: {
          net: "inherit",
          env: true,
          read: sockets,
          write: sockets,
          run: false,
          ffi: false,
          sys: false,
          import: false,
        },
      },
    });
    const channel = new MessageChannel();
    this.#port = channel.port1;
    this.#port.onmessage = ({ data }) => this.#receive(data);
    this.#port.onmessageerror = () => this.end(new Failure("function_exited", "the function sent what cannot be read"));
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.end(new Failure("function_exited", `the function's thread ended: ${event.message}`));
    };
    this.loaded = new Promise((resolve) => this.#settleLoaded = resolve);
    void this.#start(code, gateway, channel.port2);
  }

  get ended(): boolean {
    return this.#ended;
  }

  get inFlight(): number {
    return this.#exchanges.size;
  }

  send(message: ToFunction, transfer: Transferable[] = []): void {
    if (this.#ended) return;
    try {
      this.#port.postMessage(message, transfer);
    } catch (error) {
      this.end(new Failure("function_exited", `the function's thread is gone: ${(error as Error).message}`));
    }
  }

  /** Takes a request in; the exchange leaves again when it is done. */
  add(exchange: Exchange, url: string): void {
    this.#exchanges.set(exchange.id, exchange);
    const onDone = exchange.onDone;
    exchange.onDone = (failure) => {
      this.#exchanges.delete(exchange.id);
      if (this.#exchanges.size === 0) this.#stopPinging();
      onDone(failure);
    };
    exchange.begin(url);
    this.#startPinging();
  }

  /** A request ran into the wall clock. When the thread still answers, the others on it go on. */
  async timeout(exchange: Exchange, limitMs: number): Promise<void> {
    const message = `the function did not finish within ${limitMs} ms`;
    if (await this.#answers()) {
      exchange.abort(new Failure("function_timeout", message));
    } else {
      exchange.fail(new Failure("function_timeout", message));
      this.end(this.#blocked());
    }
  }

  /** Waits until everything given to EdgeRuntime.waitUntil has settled, for at most `limitMs`. */
  async drain(limitMs: number): Promise<boolean> {
    if (this.#ended) return true;
    let timer: Timer | undefined;
    const drained = new Promise<boolean>((resolve) => this.#drained = () => resolve(true));
    const late = new Promise<boolean>((resolve) => timer = setTimeout(() => resolve(false), limitMs));
    this.send({ t: "drain" });
    const inTime = await Promise.race([drained, late]);
    clearTimeout(timer);
    return inTime;
  }

  /** Ends the thread; every request on it fails with this reason. */
  end(reason: Failure): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#bootTimer);
    this.#stopPinging();
    this.#worker.terminate();
    this.#port.close();
    this.#drained?.();
    this.#settleLoaded({ ok: false, message: reason.message, stack: "" });
    for (const exchange of [...this.#exchanges.values()]) exchange.fail(reason);
    this.onEnd();
  }

  async #start(code: Promise<Bundle>, gateway: string, port: MessagePort): Promise<void> {
    let text: string;
    try {
      const bundle = await code;
      text = bundle.text;
      this.#places = bundle.places;
    } catch (error) {
      return this.end(new Failure("function_load_failed", (error as Error).message));
    }
    if (this.#ended) return;
    const limitMs = this.#limits.bootMs;
    this.#bootTimer = setTimeout(() => {
      const reason = `the function did not finish loading within ${limitMs} ms: its top level may not block`;
      this.end(new Failure("function_load_failed", reason));
    }, limitMs);
    const start: Start = { code: text, gateway };
    this.#worker.postMessage(start, [port]);
  }

  #receive(data: unknown): void {
    if (this.#ended) return;
    try {
      const messages = readMessages(data);
      if (this.#wholeAnswer(messages)) return;
      for (const message of messages) this.#take(message);
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      this.end(new Failure("function_exited", `the function broke the runtime's protocol: ${error.message}`));
    }
  }

  /** Most answers are a head, one piece and the end, in one batch: they need no stream. */
  #wholeAnswer(messages: FromFunction[]): boolean {
    const [head, chunk, end] = messages;
    if (messages.length !== 3 || head.t !== "head" || chunk.t !== "chunk" || end.t !== "end") return false;
    this.#exchanges.get(head.id)?.whole(head.status, head.statusText, head.headers, chunk.data);
    return true;
  }

  #take(message: FromFunction): void {
    switch (message.t) {
      case "ready":
        clearTimeout(this.#bootTimer);
        return this.#settleLoaded({ ok: true });
      case "loadFailed":
        this.#settleLoaded({ ok: false, message: this.#translate(message.message), stack: this.#translate(message.stack) });
        return this.end(new Failure("function_load_failed", this.#translate(message.message)));
      case "log":
        return this.#log.write(
          message.level,
          "log",
          this.#translate(message.message),
          this.#exchanges.get(message.id)?.requestId,
        );
      case "pong":
        if (message.n === this.#pings) this.#unanswered = undefined;
        return this.#pong?.();
      case "exit":
        return this.end(new Failure("function_exited", message.message));
      case "drained":
        return this.#drained?.();
      default:
        this.#takeAnswer(message);
    }
  }

  #takeAnswer(message: Extract<FromFunction, { id: number }>): void {
    const exchange = this.#exchanges.get(message.id);
    if (exchange === undefined) return;
    switch (message.t) {
      case "head":
        return exchange.head(message.status, message.statusText, message.headers, message.body);
      case "chunk":
        return exchange.chunk(message.data);
      case "end":
        return exchange.end();
      case "credit":
        return exchange.bodyCredit(message.bytes);
      case "upgrade":
        return exchange.upgrade(message.protocol);
      case "socketSend":
        return exchange.socketSend(message.data);
      case "socketClose":
        return exchange.socketClose(message.code, message.reason);
      case "failed":
        return this.#failed(exchange, message);
    }
  }

  #failed(exchange: Exchange, { kind, message, stack }: Extract<FromFunction, { t: "failed" }>): void {
    this.#log.error("error", this.#translate(stack === "" ? message : stack), exchange.requestId);
    exchange.fail(
      kind === "invalid"
        ? new Failure("function_invalid_response", message.slice(0, MAX_REPORT))
        // The message of an error may hold what a client must not see; the log has it.
        : new Failure("function_threw", "the function threw an error; its log has the error under this request_id"),
    );
  }

  /** Places in the user's files instead of the bundle's. */
  #translate(text: string): string {
    return this.#places?.translate(text) ?? text;
  }

  #pong: (() => void) | undefined;

  #ping(): void {
    this.#unanswered ??= performance.now();
    this.send({ t: "ping", n: ++this.#pings });
  }

  /** Whether the thread takes messages: asked once, with a moment to answer. */
  #answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), PING_MS);
      this.#pong = () => {
        clearTimeout(timer);
        resolve(true);
      };
      this.#ping();
    });
  }

  #startPinging(): void {
    this.#pinger ??= setInterval(() => {
      if (this.#unanswered === undefined) return this.#ping();
      if (performance.now() - this.#unanswered > this.#limits.blockedMs) this.end(this.#blocked());
    }, PING_MS);
  }

  #stopPinging(): void {
    clearInterval(this.#pinger);
    this.#pinger = undefined;
    this.#unanswered = undefined;
  }

  #blocked(): Failure {
    return new Failure(
      "function_blocked",
      "the function's thread was ended because its code ran without a pause for too long (an endless loop?)",
    );
  }
}

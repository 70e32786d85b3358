/** Runs requests through the function's handler: builds the Request, sends the Response in pieces. */
// @ts-types="./async_hooks.d.ts"
import { AsyncLocalStorage } from "node:async_hooks";
import { Pairs, PIECE_BYTES, ToFunction, WINDOW_BYTES } from "../protocol.ts";
import { AnswerBody } from "./body.ts";
import { Handler } from "./handler.ts";
import { Outbox } from "./outbox.ts";
import { ServerSocket, takeUpgrade } from "./socket.ts";

// Taken before the function runs: it may put its own in their place, as polyfills do.
const { AbortController, DOMException, Headers, ReadableStream, Request, Response, Uint8Array } = globalThis;

/** The number of the request that code runs for; 0 outside of any. */
export const currentCall = new AsyncLocalStorage<number>();

/** Errors of ours about an answer, as opposed to those of the function. */
class InvalidAnswer extends Error {}

export class Calls {
  #handler: Handler;
  #outbox: Outbox;
  #describe: (error: unknown) => { message: string; stack: string };
  #calls = new Map<number, Call>();

  constructor(handler: Handler, outbox: Outbox, describe: Calls["describe"]) {
    this.#handler = handler;
    this.#outbox = outbox;
    this.#describe = describe;
  }

  /** How an error is described to the main thread. */
  get describe(): (error: unknown) => { message: string; stack: string } {
    return this.#describe;
  }

  take(message: Extract<ToFunction, { id: number }>): void {
    if (message.t === "request") {
      const call = new Call(message, this.#outbox, () => this.#calls.delete(message.id));
      this.#calls.set(message.id, call);
      currentCall.run(message.id, () => void this.#run(call));
      return;
    }
    const call = this.#calls.get(message.id);
    if (call !== undefined) currentCall.run(message.id, () => call.take(message));
  }

  async #run(call: Call): Promise<void> {
    try {
      await call.answer(await this.#handler(call.request(), call.info));
    } catch (error) {
      if (call.ended) return;
      const kind = error instanceof InvalidAnswer ? "invalid" : "threw";
      const description = kind === "invalid" ? { message: (error as Error).message, stack: "" } : this.#describe(error);
      call.fail(kind, description);
    }
  }
}

type Begin = Extract<ToFunction, { t: "request" }>;

class Call {
  ended = false;
  readonly info: Deno.ServeHandlerInfo;

  #begin: Begin;
  #outbox: Outbox;
  #leave: () => void;
  #abort = new AbortController();
  #complete!: () => void;
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;
  #answer: AnswerBody | undefined;
  #credit = WINDOW_BYTES;
  #creditWanted: (() => void) | undefined;
  #socket: ServerSocket | undefined;

  constructor(begin: Begin, outbox: Outbox, leave: () => void) {
    this.#begin = begin;
    this.#outbox = outbox;
    this.#leave = leave;
    const client = begin.headers.find(([name]) => name === "x-forwarded-for")?.[1].split(",")[0].trim();
    this.info = {
      remoteAddr: { transport: "tcp", hostname: client ?? "127.0.0.1", port: 0 },
      completed: new Promise((resolve) => this.#complete = resolve),
    };
  }

  request(): Request {
    const { method, url, headers } = this.#begin;
    const body = this.#begin.body ? this.#bodyStream() : undefined;
    return new Request(url, { method, headers: new Headers(headers), body, signal: this.#abort.signal });
  }

  take(message: Exclude<Extract<ToFunction, { id: number }>, Begin>): void {
    switch (message.t) {
      case "body":
        return this.#body?.enqueue(message.data);
      case "bodyEnd":
        return this.#closeBody((body) => body.close());
      case "bodyError":
        return this.#closeBody((body) => body.error(new TypeError(message.message)));
      case "abort":
        return this.#aborted(message.message);
      case "credit":
        this.#credit += message.bytes;
        return this.#creditWanted?.();
      case "socketOpen":
        return this.#socket?.opened(message.protocol);
      case "socketMessage":
        return this.#socket?.received(message.data);
      case "socketClosed":
        this.#socket?.closed(message.code, message.reason, message.clean);
        return this.#end();
    }
  }

  async answer(response: unknown): Promise<void> {
    if (this.ended) return;
    if (!(response instanceof Response)) {
      const what = response === null ? "null" : typeof response;
      throw new InvalidAnswer(`the function's handler returned ${what}, not a Response`);
    }
    const upgrade = takeUpgrade(response);
    if (upgrade !== undefined) {
      this.#socket = upgrade.socket;
      const { protocol } = upgrade;
      upgrade.socket.attach(
        (data) => this.#outbox.send({ t: "socketSend", id: this.#begin.id, data }),
        (code, reason) => this.#outbox.send({ t: "socketClose", id: this.#begin.id, code, reason }),
      );
      return this.#outbox.send({ t: "upgrade", id: this.#begin.id, protocol, headers: [] });
    }
    if (response.bodyUsed) throw new InvalidAnswer("the body of the function's Response was read already");
    const { status, statusText, body } = response;
    const answer = this.#answer = body === null ? undefined : new AnswerBody(body);
    const length = await answer?.length();
    if (this.ended) return;
    const headers: Pairs = [...response.headers];
    const measured = length === undefined ? headers : withLength(headers, length);
    this.#outbox.send({ t: "head", id: this.#begin.id, status, statusText, headers: measured, body: body !== null });
    if (answer !== undefined) await this.#sendBody(answer);
    if (this.ended) return;
    this.#outbox.send({ t: "end", id: this.#begin.id });
    this.#end();
  }

  fail(kind: "threw" | "invalid", description: { message: string; stack: string }): void {
    this.#outbox.send({ t: "failed", id: this.#begin.id, kind, ...description });
    this.#abortWith("the request failed");
    this.#end();
  }

  async #sendBody(body: AnswerBody): Promise<void> {
    while (!this.ended) {
      const { value, done } = await body.next();
      if (done || this.ended) return;
      if (!(value instanceof Uint8Array)) {
        throw new InvalidAnswer("the body of the function's Response holds something else than bytes");
      }
      for (let at = 0; at < value.byteLength; at += PIECE_BYTES) {
        while (this.#credit <= 0) await new Promise<void>((resolve) => this.#creditWanted = resolve);
        if (this.ended) return;
        this.#sendPiece(value.subarray(at, at + PIECE_BYTES));
      }
    }
  }

  /** A copy goes: the function may go on using its bytes, and a small view may lie in a large or a shared buffer. */
  #sendPiece(piece: Uint8Array): void {
    const data = new Uint8Array(piece);
    this.#credit -= data.byteLength;
    this.#outbox.send({ t: "chunk", id: this.#begin.id, data }, data.buffer);
  }

  #bodyStream(): ReadableStream<Uint8Array> {
    const id = this.#begin.id;
    let queued = 0;
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        const enqueue = controller.enqueue.bind(controller);
        controller.enqueue = (chunk) => {
          queued += chunk!.byteLength;
          enqueue(chunk);
        };
        this.#body = controller;
      },
      pull: () => {
        // Called when all that was queued is read.
        if (queued > 0) this.#outbox.send({ t: "credit", id, bytes: queued });
        queued = 0;
      },
      cancel: () => void (this.#body = undefined),
    }, { highWaterMark: 1, size: (chunk) => chunk?.byteLength ?? 0 });
  }

  #closeBody(close: (body: ReadableStreamDefaultController<Uint8Array>) => void): void {
    const body = this.#body;
    this.#body = undefined;
    try {
      if (body !== undefined) close(body);
    } catch {
      // The function cancelled it.
    }
  }

  #aborted(message: string): void {
    this.#abortWith(message);
    this.#socket?.closed(1006, "", false);
    this.#end();
  }

  #abortWith(message: string): void {
    this.#abort.abort(new DOMException(message, "AbortError"));
    this.#closeBody((body) => body.error(new DOMException(message, "AbortError")));
    this.#answer?.cancel(message);
  }

  #end(): void {
    if (this.ended) return;
    this.ended = true;
    this.#leave();
    this.#complete();
    this.#creditWanted?.();
  }
}

/** What the function says about the length of a body that is known does not count. */
function withLength(headers: Pairs, length: number): Pairs {
  return [...headers.filter(([name]) => name !== "content-length"), ["content-length", String(length)]];
}

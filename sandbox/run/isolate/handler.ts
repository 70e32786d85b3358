/**
 * How a function says what answers its requests: a default export (a function, or an object with `fetch`), Deno.serve,
 * or the `serve` of Deno's old standard library, which listens and speaks HTTP itself and is given a listener that
 * opens nothing.
 */

export type Handler = (request: Request, info: Deno.ServeHandlerInfo) => Response | Promise<Response>;
type OnError = (error: unknown) => Response | Promise<Response>;

const ADDRESS: Deno.NetAddr = { transport: "tcp", hostname: "0.0.0.0", port: 8000 };

/** The handler that a function registers; the first one counts. */
export class Registration {
  /** Settles with the first handler. */
  readonly registered: Promise<Handler>;
  #resolve!: (handler: Handler) => void;

  constructor() {
    this.registered = new Promise((resolve) => this.#resolve = resolve);
  }

  register(handler: Handler): void {
    this.#resolve(handler);
  }
}

/** The handler in a module's default export, if there is one. */
export function defaultHandler(exported: unknown): Handler | undefined {
  if (typeof exported === "function") return exported as Handler;
  const fetch = (exported as { fetch?: unknown } | null | undefined)?.fetch;
  return typeof fetch === "function" ? (request, info) => fetch.call(exported, request, info) : undefined;
}

/** A Deno.serve in all its forms: (handler), (options, handler), (options with handler or fetch). */
export function denoServe(registration: Registration): (...given: unknown[]) => Deno.HttpServer {
  return (first, second) => {
    const options = (typeof first === "function" ? second : first) as Record<string, unknown> | null | undefined;
    const handler = [first, second, options?.handler, defaultHandler(options)].find((it) => typeof it === "function");
    if (typeof handler !== "function") throw new TypeError("Deno.serve needs a handler: Deno.serve((request) => …)");
    registration.register(withOnError(handler as Handler, options?.onError as OnError | undefined));
    (options?.onListen as ((address: Deno.Addr) => void) | undefined)?.(ADDRESS);
    return server(options?.signal as AbortSignal | undefined);
  };
}

function withOnError(handler: Handler, onError: OnError | undefined): Handler {
  if (typeof onError !== "function") return handler;
  return async (request, info) => {
    try {
      return await handler(request, info);
    } catch (error) {
      return await onError(error);
    }
  };
}

function server(signal: AbortSignal | undefined): Deno.HttpServer {
  let finish!: () => void;
  const finished = new Promise<void>((resolve) => finish = resolve);
  signal?.addEventListener("abort", () => finish());
  const shutdown = () => {
    finish();
    return finished;
  };
  return { finished, addr: ADDRESS, ref() {}, unref() {}, shutdown, [Symbol.asyncDispose]: shutdown };
}

interface RequestEvent {
  request: Request;
  respondWith(response: Response | Promise<Response>): Promise<void>;
}

/** Deno.listen and Deno.serveHttp for std's `serve`: one connection that never ends carries all requests. */
export class ListenerShim {
  #registration: Registration;
  #events: RequestEvent[] = [];
  #wanted: ((event: RequestEvent) => void) | undefined;

  constructor(registration: Registration) {
    this.#registration = registration;
  }

  listen = (): unknown => {
    let accepted = false;
    const never = new Promise<never>(() => {});
    const accept = () => {
      if (accepted) return never;
      accepted = true;
      return Promise.resolve({ rid: -1, localAddr: ADDRESS, remoteAddr: ADDRESS, close() {} });
    };
    return {
      rid: -1,
      addr: ADDRESS,
      accept,
      close() {},
      ref() {},
      unref() {},
      async *[Symbol.asyncIterator]() {
        while (true) yield await accept();
      },
    };
  };

  serveHttp = (): unknown => {
    this.#registration.register((request) => this.#offer(request));
    const nextRequest = (): Promise<RequestEvent> => {
      const event = this.#events.shift();
      return event !== undefined ? Promise.resolve(event) : new Promise((resolve) => this.#wanted = resolve);
    };
    return {
      rid: -1,
      nextRequest,
      close() {},
      async *[Symbol.asyncIterator]() {
        while (true) yield await nextRequest();
      },
    };
  };

  #offer(request: Request): Promise<Response> {
    return new Promise((resolve, reject) => {
      const respondWith = async (response: Response | Promise<Response>) => {
        try {
          resolve(await response);
        } catch (error) {
          reject(error);
        }
      };
      const event = { request, respondWith };
      const wanted = this.#wanted;
      this.#wanted = undefined;
      if (wanted !== undefined) wanted(event);
      else this.#events.push(event);
    });
  }
}

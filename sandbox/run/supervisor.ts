/** Keeps one isolate of the function alive: loads it, replaces it when it has ended, and sends requests to it. */
import { Bundle } from "./archive.ts";
import { Exchange } from "./exchange.ts";
import { Failure } from "./failure.ts";
import { Isolate, Loaded } from "./isolate.ts";
import { Log } from "./logs.ts";
import { Settings } from "./settings.ts";

/** A function that failed to load is not loaded again before this time has passed. */
const RETRY_MS = 1_000;

const MAX_REPORT = 1_000;

export class Supervisor {
  #code: Promise<Bundle>;
  #settings: Settings;
  #log: Log;
  #environment = Deno.env.toObject();
  #isolate: Isolate;
  #failedAt = 0;
  #lastFailure: Failure | undefined;
  #lastId = 0;
  #stopping = false;

  constructor(code: Promise<Bundle>, settings: Settings, log: Log) {
    this.#code = code;
    this.#settings = settings;
    this.#log = log;
    this.#isolate = this.#load();
  }

  /** How the last attempt to load ended. */
  get loaded(): Promise<Loaded> {
    return this.#isolate.loaded;
  }

  /** Runs one request. Rejects with a Failure when the function gives no answer. */
  async handle(request: Request, requestId: string, url: string, gone: Promise<void>): Promise<Response> {
    const isolate = await this.#ready();
    const exchange: Exchange = new Exchange(
      ++this.#lastId,
      requestId,
      request,
      this.#settings,
      isolate,
      () => void isolate.timeout(exchange, this.#settings.wallClockMs),
    );
    exchange.onDone = (failure) => this.#record(request, exchange, failure);
    gone.catch(() => exchange.disconnect());
    isolate.add(exchange, url);
    return await exchange.response;
  }

  /** Gives what the function still does a last chance to finish. */
  async drain(limitMs: number): Promise<void> {
    this.#stopping = true;
    if (!await this.#isolate.drain(limitMs)) {
      this.#log.write("warn", "shutdown", `what was given to EdgeRuntime.waitUntil took more than ${limitMs} ms`);
    }
    this.#isolate.end(new Failure("function_stopping", "the function is being stopped"));
  }

  async #ready(): Promise<Isolate> {
    if (this.#isolate.ended) {
      if (this.#lastFailure !== undefined && performance.now() - this.#failedAt < RETRY_MS) throw this.#lastFailure;
      this.#isolate = this.#load();
    }
    const isolate = this.#isolate;
    const loaded = await isolate.loaded;
    if (!loaded.ok) throw this.#lastFailure ?? new Failure("function_load_failed", loaded.message);
    return isolate;
  }

  #load(): Isolate {
    this.#lastFailure = undefined;
    this.#restoreEnvironment();
    const began = performance.now();
    const isolate = new Isolate(this.#code, this.#settings.gateway, this.#settings, this.#log);
    void isolate.loaded.then((loaded) => {
      if (loaded.ok) {
        return this.#log.info("boot", `loaded in ${(performance.now() - began).toFixed(0)} ms`);
      }
      this.#failedAt = performance.now();
      this.#lastFailure = new Failure("function_load_failed", loaded.message.slice(0, MAX_REPORT));
      this.#log.error("boot", loaded.stack === "" ? loaded.message : loaded.stack);
    });
    isolate.onEnd = () => {
      // At once, so that the next request does not wait for it; a function that cannot be loaded waits for one.
      void isolate.loaded.then((loaded) => {
        if (loaded.ok && !this.#stopping && this.#isolate === isolate) this.#isolate = this.#load();
      });
    };
    return isolate;
  }

  /** The environment is one for the whole process: what an ended thread changed in it must not reach the next. */
  #restoreEnvironment(): void {
    for (const name of Object.keys(Deno.env.toObject())) {
      if (!Object.hasOwn(this.#environment, name)) Deno.env.delete(name);
    }
    for (const [name, value] of Object.entries(this.#environment)) {
      if (Deno.env.get(name) !== value) Deno.env.set(name, value);
    }
  }

  #record(request: Request, exchange: Exchange, failure: Failure | undefined): void {
    const took = (performance.now() - exchange.started).toFixed(1);
    // What the function threw is in the log already, with its stack.
    const unsaid = failure !== undefined && failure.code !== "function_threw";
    if (unsaid) this.#log.error("error", `${failure.code}: ${failure.message}`, exchange.requestId);
    const status = failure !== undefined && exchange.status === 0 ? 500 : exchange.status;
    this.#log.info("request", `${request.method} ${status} ${took} ms`, exchange.requestId);
  }
}

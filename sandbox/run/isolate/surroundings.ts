/**
 * What a function finds around it that is not plain Deno: its console goes to the log, its serve calls register a
 * handler, waitUntil keeps the process, and the project's own address is reached through the gateway's socket.
 *
 * These are conveniences. What a function may not do is forbidden by the permissions of its thread, by its user and by
 * its container; nothing here has to withstand a function that wants to undo it.
 */
import { currentCall } from "./calls.ts";
import { denoServe, ListenerShim, Registration } from "./handler.ts";
import { conceal } from "./machine.ts";
import { Outbox } from "./outbox.ts";
import { upgradeWebSocket } from "./socket.ts";

const WARN = 2;

/** Requests to the project's address that wait for their answer's head; further ones wait here, not at the gateway. */
const OWN_REQUESTS = 64;

const PROXY_VARIABLE = /_proxy$/i;

type Print = (message: string, level: number) => void;
interface Internals {
  Console: new (print: Print) => Console;
}

/** Promises that EdgeRuntime.waitUntil was given and that have not settled. */
export class Background {
  #pending = new Set<Promise<unknown>>();
  #idle: (() => void)[] = [];

  waitUntil = <T>(promise: T): T => {
    const watched: Promise<unknown> = Promise.resolve(promise).catch(() => {}).then(() => {
      this.#pending.delete(watched);
      if (this.#pending.size === 0) this.#idle.splice(0).forEach((tell) => tell());
    });
    this.#pending.add(watched);
    return promise;
  };

  whenIdle(tell: () => void): void {
    if (this.#pending.size === 0) tell();
    else this.#idle.push(tell);
  }
}

/** Puts everything in place; to be called once, before the function is loaded. */
export function furnish(registration: Registration, background: Background, outbox: Outbox, gateway: string): void {
  define(globalThis, "console", logConsole(outbox));
  define(globalThis, "EdgeRuntime", Object.freeze({ waitUntil: background.waitUntil }));
  const shim = new ListenerShim(registration);
  define(Deno, "serve", denoServe(registration));
  define(Deno, "listen", shim.listen);
  define(Deno, "serveHttp", shim.serveHttp);
  define(Deno, "upgradeWebSocket", upgradeWebSocket);
  const exit = (what: string) => () => {
    outbox.send({ t: "exit", message: `the function called ${what}` });
    outbox.flush();
    // Code that exits does not expect to continue.
    return new Promise<never>(() => {});
  };
  define(Deno, "exit", exit("Deno.exit"));
  define(globalThis, "close", exit("close"));
  Reflect.deleteProperty(globalThis, "Worker");
  conceal();
  identify();
  withoutProxies();
  if (gateway !== "") throughGateway(gateway);
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, configurable: true, enumerable: true, writable: true });
}

function logConsole(outbox: Outbox): Console {
  const holder = Deno as unknown as Record<symbol, Internals> & { internal: symbol };
  const { Console } = holder[holder.internal];
  Reflect.deleteProperty(holder, holder.internal);
  return new Console((message, level) => {
    outbox.send({
      t: "log",
      level: level > WARN ? "error" : level === WARN ? "warn" : "info",
      id: currentCall.getStore() ?? 0,
      message: message.replace(/\n$/, ""),
    });
  });
}

/** Variables that Supabase's runtime sets; a secret of the function with one of these names wins. */
function identify(): void {
  const variables = { SB_REGION: "local", SB_EXECUTION_ID: crypto.randomUUID() };
  for (const [name, value] of Object.entries(variables)) if (!Deno.env.has(name)) Deno.env.set(name, value);
}

/**
 * No proxies: Deno checks the address of a target, but opens connections to a SOCKS proxy that is named by a host name
 * without looking where that name leads.
 */
function withoutProxies(): void {
  for (const name of Object.keys(Deno.env.toObject())) {
    if (PROXY_VARIABLE.test(name)) Deno.env.delete(name);
  }
  const set = Deno.env.set;
  define(Deno.env, "set", (name: string, value: string) => {
    if (PROXY_VARIABLE.test(String(name))) throw new Deno.errors.NotCapable(`${name} cannot be set in a function`);
    set.call(Deno.env, name, value);
  });
  const { createHttpClient } = Deno;
  define(Deno, "createHttpClient", (options: Record<string, unknown> = {}) => {
    if (options.proxy !== undefined) throw new Deno.errors.NotCapable("a function cannot use a proxy");
    return createHttpClient(options as unknown as Deno.CreateHttpClientOptions);
  });
}

/** Runs a number of tasks at a time, in the order in which they come. */
class Turns {
  #free: number;
  #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next !== undefined) next();
      else this.#free++;
    }
  }
}

/** Requests and WebSockets to the project's own address go through the gateway's socket. */
function throughGateway(path: string): void {
  const own = ownHost();
  if (own === undefined) return;
  const { fetch, WebSocket, Request, URL } = globalThis;
  let client: Deno.HttpClient | undefined;
  const gatewayClient = () => client ??= httpClient(path);
  const turns = new Turns(OWN_REQUESTS);
  const isOwn = (address: string) => {
    try {
      return new URL(address).host === own;
    } catch {
      return false;
    }
  };
  define(globalThis, "fetch", (input: RequestInfo | URL, init?: RequestInit & { client?: Deno.HttpClient }) => {
    const address = input instanceof Request ? input.url : String(input);
    return isOwn(address) && init?.client === undefined
      ? turns.run(() => fetch(input, { ...init, client: gatewayClient() }))
      : fetch(input, init);
  });
  const throughSocket = (protocols: unknown) => {
    const plain = typeof protocols === "string" || Array.isArray(protocols);
    const options = plain ? { protocols } : protocols as Record<string, unknown> | undefined;
    return { ...options, client: gatewayClient() };
  };
  define(
    globalThis,
    "WebSocket",
    new Proxy(WebSocket, {
      construct: (target, [address, protocols, ...rest], newTarget) =>
        isOwn(String(address))
          ? Reflect.construct(target, [address, throughSocket(protocols)], newTarget)
          : Reflect.construct(target, [address, protocols, ...rest], newTarget),
    }),
  );
}

const httpClient = ((create) => (path: string) => create({ proxy: { transport: "unix", path } }))(
  Deno.createHttpClient,
);

function ownHost(): string | undefined {
  try {
    return new URL(Deno.env.get("SVC_URL") ?? "").host;
  } catch {
    return undefined;
  }
}

/**
 * The settings that the main thread has in its environment. Reading takes these variables out of it, so that nothing that
 * runs later, the function above all, finds them: every other variable is the function's own.
 */

const PREFIX = "SVC_RUNTIME_";
const GIVEN = PREFIX + "ENV_";
const OF_DENO = /^(DENO_.*|PATH|NO_COLOR|.*_proxy)$/i;
const DAY_MS = 86_400_000;

export interface Settings {
  /** Where to take requests. */
  listen: { path: string } | { hostname: string; port: number };
  /** Address of the archive or of the bare bundle: `file:` or `http:`. */
  bundle: string;
  /** Bearer for the archive and the log intake; empty without either. */
  token: string;
  /** Where log lines are posted to; empty: standard output only. */
  logs: string;
  /** A unix socket through which the project's own address is reached; empty: over the network. */
  gateway: string;
  /** Marks lines of the platform on standard output, for a reader that started this process; empty: bare JSON. */
  logKey: string;
  /** Name of the function, for messages. */
  functionName: string;
  /** Longest time from a request's arrival to the end of its answer. */
  wallClockMs: number;
  /** Longest time that the function's code may keep its thread without a pause while requests wait. */
  blockedMs: number;
  /** Longest time that the function's top level may take. */
  bootMs: number;
  /** Longest time that a stopping process gives to requests and to EdgeRuntime.waitUntil, each. */
  drainMs: number;
  /** Largest body of an answer, in bytes. */
  responseLimit: number;
}

export class InvalidSetting extends Error {}

/**
 * The variables with our prefix. They are removed from the environment, and with them the settings of Deno itself
 * (among them its proxies, which could lead around its own rules) and what it leaves there for programs it starts.
 * The parent process may pass the function's variables under `SVC_RUNTIME_ENV_`: so none of them reaches
 * a linker, or Deno's start.
 */
export function takeEnvironment(): Map<string, string> {
  const taken = new Map<string, string>();
  const given = new Map<string, string>();
  for (const [name, value] of Object.entries(Deno.env.toObject())) {
    if (name.startsWith(GIVEN)) given.set(name.slice(GIVEN.length), value);
    else if (name.startsWith(PREFIX)) taken.set(name.slice(PREFIX.length), value);
    if (name.startsWith(PREFIX) || OF_DENO.test(name)) Deno.env.delete(name);
  }
  for (const [name, value] of given) Deno.env.set(name, value);
  return taken;
}

/** Reads settings; throws InvalidSetting with the name of the variable and what it should hold. */
export function readSettings(given: Map<string, string>, needs: { listen: boolean }): Settings {
  const wallClockMs = number(given, "WALL_CLOCK_MS", 150_000, 1, DAY_MS);
  return {
    listen: needs.listen ? listen(text(given, "LISTEN")) : { path: "" },
    bundle: text(given, "BUNDLE"),
    token: given.get("TOKEN") ?? "",
    logs: given.get("LOGS") ?? "",
    gateway: (given.get("GATEWAY") ?? "").replace(/^unix:/, ""),
    logKey: given.get("LOG_KEY") ?? "",
    functionName: given.get("FUNCTION") ?? "function",
    wallClockMs,
    blockedMs: number(given, "BLOCKED_MS", Math.min(10_000, wallClockMs), 1, DAY_MS),
    bootMs: number(given, "BOOT_MS", Math.min(10_000, wallClockMs), 1, DAY_MS),
    drainMs: number(given, "DRAIN_MS", 20_000, 0, DAY_MS),
    responseLimit: number(given, "RESPONSE_LIMIT", 50 << 20, 1, 2 ** 40),
  };
}

function text(given: Map<string, string>, name: string): string {
  const value = given.get(name);
  if (!value) throw new InvalidSetting(`${PREFIX}${name} is not set`);
  return value;
}

function number(given: Map<string, string>, name: string, otherwise: number, least: number, most: number): number {
  const value = given.get(name);
  if (value === undefined || value === "") return otherwise;
  const read = Number(value);
  if (!/^[0-9]{1,15}$/.test(value) || read < least || read > most) {
    throw new InvalidSetting(`${PREFIX}${name} is "${value}", not a number from ${least} to ${most}`);
  }
  return read;
}

function listen(value: string): Settings["listen"] {
  if (value.startsWith("unix:/")) return { path: value.slice("unix:".length) };
  const tcp = /^tcp:([^:]+|\[[0-9a-f:]+\]):([0-9]{1,5})$/.exec(value);
  if (tcp === null) {
    throw new InvalidSetting(`${PREFIX}LISTEN is "${value}", neither unix:/path nor tcp:host:port`);
  }
  return { hostname: tcp[1].replace(/^\[|\]$/g, ""), port: Number(tcp[2]) };
}

/**
 * The messages between the main thread and the thread that runs the function. The function shares its thread with our
 * code and may have changed anything there: what comes from it is read by `readMessages`, which trusts nothing.
 */

/** Bytes of a body that may be on their way before the reader has taken any. */
export const WINDOW_BYTES = 1 << 20;

/** Largest piece of a body in one message. */
export const PIECE_BYTES = 256 << 10;

export type Pairs = [string, string][];

/** The first message, with the port for all others. `code` is the text of the function's module. */
export interface Start {
  code: string;
  gateway: string;
}

export type ToFunction =
  | { t: "request"; id: number; requestId: string; method: string; url: string; headers: Pairs; body: boolean }
  | { t: "body"; id: number; data: Uint8Array }
  | { t: "bodyEnd"; id: number }
  | { t: "bodyError"; id: number; message: string }
  | { t: "abort"; id: number; message: string }
  | { t: "credit"; id: number; bytes: number }
  | { t: "socketOpen"; id: number; protocol: string }
  | { t: "socketMessage"; id: number; data: string | Uint8Array }
  | { t: "socketClosed"; id: number; code: number; reason: string; clean: boolean }
  | { t: "ping"; n: number }
  | { t: "drain" };

export type FromFunction =
  | { t: "ready" }
  | { t: "loadFailed"; message: string; stack: string }
  | { t: "head"; id: number; status: number; statusText: string; headers: Pairs; body: boolean }
  | { t: "chunk"; id: number; data: Uint8Array }
  | { t: "end"; id: number }
  | { t: "failed"; id: number; kind: "threw" | "invalid"; message: string; stack: string }
  | { t: "credit"; id: number; bytes: number }
  | { t: "upgrade"; id: number; protocol: string; headers: Pairs }
  | { t: "socketSend"; id: number; data: string | Uint8Array }
  | { t: "socketClose"; id: number; code: number; reason: string }
  | { t: "log"; level: "info" | "warn" | "error"; id: number; message: string }
  | { t: "pong"; n: number }
  | { t: "exit"; message: string }
  | { t: "drained" };

export class MalformedMessage extends Error {}

type Fields = Record<string, unknown>;

const MAX_TEXT = 1 << 16;
const MAX_HEADERS = 1_000;

const number = (value: unknown): number => {
  if (typeof value !== "number" || !Number.isSafeInteger(value)) throw new MalformedMessage("no whole number");
  return value;
};
const text = (value: unknown): string => {
  if (typeof value !== "string") throw new MalformedMessage("no text");
  return value.length > MAX_TEXT ? value.slice(0, MAX_TEXT) : value;
};
const bytes = (value: unknown): Uint8Array => {
  if (!(value instanceof Uint8Array)) throw new MalformedMessage("no bytes");
  return value;
};
const pairs = (value: unknown): Pairs => {
  if (!Array.isArray(value) || value.length > MAX_HEADERS) throw new MalformedMessage("no list of headers");
  return value.map((pair) => {
    if (!Array.isArray(pair)) throw new MalformedMessage("no header");
    return [text(pair[0]), text(pair[1])];
  });
};
const oneOf = <T extends string>(value: unknown, ...choices: T[]): T => {
  if (!choices.includes(value as T)) throw new MalformedMessage(`none of ${choices}`);
  return value as T;
};

const READERS: { [T in FromFunction["t"]]: (m: Fields) => Extract<FromFunction, { t: T }> } = {
  ready: () => ({ t: "ready" }),
  loadFailed: (m) => ({ t: "loadFailed", message: text(m.message), stack: text(m.stack) }),
  head: (m) => ({
    t: "head",
    id: number(m.id),
    status: number(m.status),
    statusText: text(m.statusText),
    headers: pairs(m.headers),
    body: m.body === true,
  }),
  chunk: (m) => ({ t: "chunk", id: number(m.id), data: bytes(m.data) }),
  end: (m) => ({ t: "end", id: number(m.id) }),
  failed: (m) => ({
    t: "failed",
    id: number(m.id),
    kind: oneOf(m.kind, "threw", "invalid"),
    message: text(m.message),
    stack: text(m.stack),
  }),
  credit: (m) => ({ t: "credit", id: number(m.id), bytes: Math.max(0, number(m.bytes)) }),
  upgrade: (m) => ({ t: "upgrade", id: number(m.id), protocol: text(m.protocol), headers: pairs(m.headers) }),
  socketSend: (m) => ({
    t: "socketSend",
    id: number(m.id),
    data: typeof m.data === "string" ? m.data : bytes(m.data),
  }),
  socketClose: (m) => ({ t: "socketClose", id: number(m.id), code: number(m.code), reason: text(m.reason) }),
  log: (m) => ({
    t: "log",
    level: oneOf(m.level, "info", "warn", "error"),
    id: number(m.id),
    message: text(m.message),
  }),
  pong: (m) => ({ t: "pong", n: number(m.n) }),
  exit: (m) => ({ t: "exit", message: text(m.message) }),
  drained: () => ({ t: "drained" }),
};

/** The messages of one batch. Throws MalformedMessage for anything else. */
export function readMessages(data: unknown): FromFunction[] {
  if (!Array.isArray(data)) throw new MalformedMessage("no batch");
  return data.map((message: unknown) => {
    if (typeof message !== "object" || message === null) throw new MalformedMessage("no message");
    const kind = (message as Fields).t;
    if (typeof kind !== "string" || !Object.hasOwn(READERS, kind)) throw new MalformedMessage("of no known kind");
    return READERS[kind as FromFunction["t"]](message as Fields);
  });
}

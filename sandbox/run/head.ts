/** The headers of a function's answer that the client gets. */
import { Pairs } from "./protocol.ts";

/** Headers that belong to a connection: the server sets its own. */
const OF_CONNECTION = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const LENGTH = "content-length";
const NUMBER = /^[0-9]{1,15}$/;

/** Throws a TypeError for a name or a value that is none. A length that is no number is left out. */
export function endToEnd(headers: Pairs): Headers {
  const clean = new Headers(headers.filter(([name]) => !OF_CONNECTION.has(name.toLowerCase())));
  const length = clean.get(LENGTH);
  if (length !== null && !NUMBER.test(length)) clean.delete(LENGTH);
  return clean;
}

/** The length that the headers announce; 0 for none. */
export function announced(headers: Headers): number {
  return Number(headers.get(LENGTH) ?? 0);
}

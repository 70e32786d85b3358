/**
 * The user's own files, as if they lay in a folder "functions": the function's in functions/<name>/, what several share
 * in functions/_shared/ or in another folder there. There is no such folder; nothing outside this map can be named from
 * inside it.
 */
import { Fault } from "./fault.ts";

export const SCHEME = "svc:";
const ROOT = "svc:///functions/";
const SHARED = "_shared/";
const ABOVE = "../";

export class SourceTree {
  readonly entry: string;
  readonly #home: string;
  readonly #texts = new Map<string, string>();

  /** @param files by path from the function's folder, `../lib/…` beside it; `_shared/…` is written without leaving it first */
  constructor(name: string, entrypoint: string, source: string, files: [string, string][]) {
    this.#home = ROOT + encodeURIComponent(name) + "/";
    this.entry = this.#home + encoded(entrypoint);
    this.#texts.set(this.entry, source);
    for (const [path, text] of files) this.#texts.set(this.urlOf(path), text);
  }

  /** Where a path that the user wrote beside the source leads. */
  urlOf(path: string): string {
    if (path.startsWith(ABOVE)) return ROOT + encoded(path.slice(ABOVE.length));
    return (path.startsWith(SHARED) ? ROOT : this.#home) + encoded(path);
  }

  /** The text at a URL, and the URL under which it is known: one that is written differently names the same file. */
  find(url: string): { url: string; text: string } | undefined {
    const wanted = canonical(url);
    for (const candidate of [wanted, ...this.#beside(wanted)]) {
      const text = this.#texts.get(candidate);
      if (text !== undefined) return { url: candidate, text };
    }
    return undefined;
  }

  /**
   * Where a shared file may lie as well: agents send files/_shared or files/lib beside index.ts and import it from
   * ../lib, or send it as functions/lib and import it from ./lib.
   */
  *#beside(url: string): Iterable<string> {
    const base = [this.#home, ROOT].find((folder) => url.startsWith(folder));
    if (base === undefined) return;
    const rest = url.slice(base.length);
    for (const place of [ROOT, this.#home, this.#home + "functions/"]) yield place + rest;
  }

  /** The URL as the user would write it. */
  display(url: string): string {
    if (url.startsWith(this.#home)) return decoded(url.slice(this.#home.length));
    if (!url.startsWith(ROOT)) return decoded(url);
    const path = decoded(url.slice(ROOT.length));
    return path.startsWith(SHARED) ? path : ABOVE + path;
  }

  /** The file that was probably meant by a URL which names none. */
  near(url: string): string | undefined {
    const wanted = canonical(url);
    const guesses = [".ts", ".tsx", ".js", ".jsx", ".mjs", ".json", "/index.ts", "/mod.ts"].map((end) => wanted + end);
    guesses.push(wanted.replace(/\.jsx?$/, ".ts"), wanted.replace(/\.tsx?$/, ".js"));
    const found = guesses.map((guess) => this.find(guess)).find((file) => file !== undefined);
    return found && this.display(found.url);
  }

  *texts(): Iterable<string> {
    yield* this.#texts.values();
  }
}

/** Whether two spellings of a URL are one: what is percent-encoded without need is compared decoded. */
function canonical(url: string): string {
  if (!url.startsWith("svc:///")) return url;
  return "svc:///" + encoded(decoded(url.slice("svc:///".length)));
}

function encoded(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new Fault("import_failed", `"${path}" is not a path: its percent-encoding is broken.`);
  }
}

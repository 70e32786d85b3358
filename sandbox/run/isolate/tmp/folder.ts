/**
 * The folder /tmp of a function: in the memory of its thread, which has no permission for a real one. It is gone with the
 * thread, counts against the memory of the process, and has no links, owners or modes.
 */

const ROOT = "/tmp";
const MAX_BYTES = 64 << 20;
const MAX_ENTRIES = 10_000;
const MIN_CAPACITY = 1_024;

const { Date, Error, Map, Uint8Array, URL } = globalThis;

export type Code = "EEXIST" | "EISDIR" | "ENOENT" | "ENOSPC" | "ENOTDIR" | "ENOTEMPTY" | "EPERM";

/** Why something cannot be done; callers translate it into an error of Deno or of Node. */
export class FolderError extends Error {
  constructor(readonly code: Code, readonly path: string) {
    super(`${code}: ${path}`);
  }
}

interface Entry {
  /** With room to grow; undefined for a folder. */
  bytes: Uint8Array<ArrayBuffer> | undefined;
  size: number;
  born: Date;
  changed: Date;
}

export interface Status {
  isFile: boolean;
  size: number;
  born: Date;
  changed: Date;
}

/** What has to be, or may not be, there before a file is opened. */
export interface Opening {
  create?: boolean;
  createNew?: boolean;
  truncate?: boolean;
}

/** The path as this folder knows it; undefined for one of the real file system. */
export function inTmp(path: unknown): string | undefined {
  const text = path instanceof URL ? fromUrl(path) : typeof path === "string" ? path : undefined;
  if (text === undefined || !text.startsWith("/")) return undefined;
  const parts: string[] = [];
  for (const part of text.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  const known = "/" + parts.join("/");
  return known === ROOT || known.startsWith(ROOT + "/") ? known : undefined;
}

function fromUrl(url: URL): string | undefined {
  return url.protocol === "file:" ? decodeURIComponent(url.pathname) : undefined;
}

export class Folder {
  #entries = new Map<string, Entry>([[ROOT, entry(undefined)]]);
  #bytes = 0;

  exists(path: string): boolean {
    return this.#entries.has(path);
  }

  status(path: string): Status {
    const { bytes, size, born, changed } = this.#get(path);
    return { isFile: bytes !== undefined, size, born, changed };
  }

  /** Makes a file ready to be written or read. */
  open(path: string, { create, createNew, truncate }: Opening): void {
    const found = this.#entries.get(path);
    if (found !== undefined) {
      if (createNew) throw new FolderError("EEXIST", path);
      if (found.bytes === undefined) throw new FolderError("EISDIR", path);
      if (truncate) this.resize(path, 0);
    } else {
      if (!create && !createNew) throw new FolderError("ENOENT", path);
      this.#add(path, entry(new Uint8Array(0)));
    }
  }

  /** A copy of what lies at a place of a file, shorter at its end. */
  read(path: string, from = 0, length = Infinity): Uint8Array<ArrayBuffer> {
    const { bytes, size } = this.#file(path);
    return bytes.slice(from, Math.min(size, from + length));
  }

  write(path: string, data: Uint8Array, from: number): void {
    const file = this.#file(path);
    this.#reserve(path, file, from + data.byteLength);
    file.bytes.set(data, from);
    file.size = Math.max(file.size, from + data.byteLength);
    file.changed = new Date();
  }

  /** Cuts a file, or fills it up with zeros. */
  resize(path: string, size: number): void {
    const file = this.#file(path);
    this.#reserve(path, file, size);
    file.bytes.fill(0, Math.min(size, file.size));
    file.size = size;
    file.changed = new Date();
  }

  makeFolder(path: string, withParents: boolean): void {
    const found = this.#entries.get(path);
    if (found !== undefined) {
      if (withParents && found.bytes === undefined) return;
      throw new FolderError("EEXIST", path);
    }
    if (withParents) this.makeFolder(parent(path), true);
    this.#add(path, entry(undefined));
  }

  /** A file or folder of a name that is free. */
  makeUnique(within: string, isFile: boolean, prefix: string, suffix: string): string {
    const path = `${within}/${prefix}${crypto.randomUUID().slice(0, 8)}${suffix}`;
    if (isFile) this.open(path, { createNew: true });
    else this.makeFolder(path, false);
    return path;
  }

  /** The names in a folder. */
  list(path: string): string[] {
    if (this.#get(path).bytes !== undefined) throw new FolderError("ENOTDIR", path);
    return this.#below(path).map((name) => name.slice(path.length + 1)).filter((name) => !name.includes("/"));
  }

  remove(path: string, withContent: boolean): void {
    this.#get(path);
    const below = this.#below(path);
    if (below.length > 0 && !withContent) throw new FolderError("ENOTEMPTY", path);
    if (path === ROOT) throw new FolderError("EPERM", path);
    for (const name of [...below, path]) {
      this.#bytes -= this.#entries.get(name)?.bytes?.byteLength ?? 0;
      this.#entries.delete(name);
    }
  }

  rename(from: string, to: string): void {
    const moved = this.#get(from);
    if (from === to) return;
    if (from === ROOT || to.startsWith(from + "/")) throw new FolderError("EPERM", from);
    this.#parentOf(to);
    const there = this.#entries.get(to);
    if (there !== undefined) {
      if (moved.bytes !== undefined && there.bytes === undefined) throw new FolderError("EISDIR", to);
      this.remove(to, false);
    }
    for (const name of [from, ...this.#below(from)]) {
      const each = this.#entries.get(name)!;
      this.#entries.delete(name);
      this.#entries.set(to + name.slice(from.length), each);
    }
  }

  #below(path: string): string[] {
    return [...this.#entries.keys()].filter((name) => name.startsWith(path + "/"));
  }

  #get(path: string): Entry {
    const found = this.#entries.get(path);
    if (found === undefined) throw new FolderError("ENOENT", path);
    return found;
  }

  #file(path: string): Entry & { bytes: Uint8Array<ArrayBuffer> } {
    const found = this.#get(path);
    if (found.bytes === undefined) throw new FolderError("EISDIR", path);
    return found as Entry & { bytes: Uint8Array<ArrayBuffer> };
  }

  #parentOf(path: string): void {
    if (this.#get(parent(path)).bytes !== undefined) throw new FolderError("ENOTDIR", path);
  }

  #add(path: string, added: Entry): void {
    this.#parentOf(path);
    if (this.#entries.size >= MAX_ENTRIES) throw new FolderError("ENOSPC", path);
    this.#entries.set(path, added);
  }

  #reserve(path: string, file: Entry & { bytes: Uint8Array }, size: number): void {
    const before = file.bytes.byteLength;
    if (size <= before) return;
    const free = MAX_BYTES - this.#bytes + before;
    if (size > free) throw new FolderError("ENOSPC", path);
    const grown = new Uint8Array(Math.min(free, Math.max(size, 2 * before, MIN_CAPACITY)));
    grown.set(file.bytes.subarray(0, file.size));
    file.bytes = grown;
    this.#bytes += grown.byteLength - before;
  }
}

function entry(bytes: Uint8Array<ArrayBuffer> | undefined): Entry {
  const now = new Date();
  return { bytes, size: 0, born: now, changed: now };
}

function parent(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

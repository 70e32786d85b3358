/**
 * The calls of node:fs and node:fs/promises on files, for paths in /tmp; all others are Deno's own. Calls with file
 * descriptors are not among them, and are refused by the thread's permissions.
 */
import { Code, Folder, FolderError, inTmp, Status } from "./folder.ts";

// deno-lint-ignore no-explicit-any
type Call = (...given: any[]) => any;
type Members = Record<string, unknown>;
interface Encoded {
  encoding?: string | null;
  flag?: string;
  recursive?: boolean;
  force?: boolean;
  withFileTypes?: boolean;
}
interface Stream {
  on(event: string, then: Call): void;
}

const { Error, Uint8Array, queueMicrotask } = globalThis;

const NUMBERS: Record<Code, number> = {
  EPERM: -1,
  ENOENT: -2,
  EEXIST: -17,
  ENOTDIR: -20,
  EISDIR: -21,
  ENOSPC: -28,
  ENOTEMPTY: -39,
};

/** Loaded when it is first needed. Its types are not read: Deno's copy of Node's has to be downloaded. */
const builtIn = (name: string): Promise<Members> => import(name);

function translated<T>(syscall: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof FolderError)) throw error;
    const { code, path } = error;
    throw Object.assign(new Error(`${code}: ${syscall} '${path}'`), { code, path, syscall, errno: NUMBERS[code] });
  }
}

function stats({ isFile, size, born, changed }: Status): Members {
  const [no, ms] = [() => false, changed.getTime()];
  return {
    ...kind(isFile),
    isBlockDevice: no,
    isCharacterDevice: no,
    isFIFO: no,
    isSocket: no,
    size,
    mode: isFile ? 0o100600 : 0o40700,
    nlink: 1,
    atime: changed,
    mtime: changed,
    ctime: changed,
    birthtime: born,
    atimeMs: ms,
    mtimeMs: ms,
    ctimeMs: ms,
    birthtimeMs: born.getTime(),
  };
}

function kind(isFile: boolean): Members {
  return { isFile: () => isFile, isDirectory: () => !isFile, isSymbolicLink: () => false };
}

function options(given: unknown): Encoded {
  return typeof given === "string" ? { encoding: given } : (given ?? {}) as Encoded;
}

/** The calls by their name without Sync; `paths` says how many of their first arguments are paths. */
function calls(folder: Folder, Buffer: Members): Record<string, { paths: number; run: Call }> {
  const from = Buffer.from as Call;
  const bytes = (data: unknown, encoding?: string | null): Uint8Array => {
    if (typeof data === "string") return from(data, encoding ?? "utf8");
    return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : from(data);
  };
  const write = (path: string, data: unknown, given: unknown, flag: string) => {
    const { encoding, flag: asked = flag } = options(given);
    folder.open(path, { create: true, createNew: asked.includes("x"), truncate: asked.startsWith("w") });
    folder.write(path, bytes(data, encoding), folder.status(path).size);
  };
  const remove = (path: string, given: unknown) => {
    const { recursive = false, force = false } = options(given);
    if (!force || folder.exists(path)) folder.remove(path, recursive);
  };
  const status = (path: string, given?: { throwIfNoEntry?: boolean }) =>
    given?.throwIfNoEntry === false && !folder.exists(path) ? undefined : stats(folder.status(path));
  const known = (path: string) => void folder.status(path);
  return {
    readFile: {
      paths: 1,
      run: (path, given) => {
        const { encoding } = options(given);
        const data = from(folder.read(path).buffer);
        return encoding ? data.toString(encoding) : data;
      },
    },
    writeFile: { paths: 1, run: (path, data, given) => write(path, data, given, "w") },
    appendFile: { paths: 1, run: (path, data, given) => write(path, data, given, "a") },
    mkdir: { paths: 1, run: (path, given) => folder.makeFolder(path, options(given).recursive === true) },
    rm: { paths: 1, run: remove },
    rmdir: { paths: 1, run: remove },
    unlink: { paths: 1, run: (path) => folder.remove(path, false) },
    readdir: {
      paths: 1,
      run: (path, given) => {
        const names = folder.list(path);
        if (!options(given).withFileTypes) return names;
        return names.map((name) => ({ name, parentPath: path, ...kind(folder.status(`${path}/${name}`).isFile) }));
      },
    },
    stat: { paths: 1, run: status },
    lstat: { paths: 1, run: status },
    access: { paths: 1, run: known },
    chmod: { paths: 1, run: known },
    utimes: { paths: 1, run: known },
    realpath: { paths: 1, run: (path) => (known(path), path) },
    truncate: { paths: 1, run: (path, size = 0) => folder.resize(path, size) },
    rename: { paths: 2, run: (before, after) => folder.rename(before, after) },
    copyFile: { paths: 2, run: (before, after) => write(after, folder.read(before), undefined, "w") },
    mkdtemp: {
      paths: 1,
      run: (path: string) => {
        const cut = path.lastIndexOf("/");
        return folder.makeUnique(path.slice(0, cut), false, path.slice(cut + 1), "");
      },
    },
  };
}

/** node:fs with /tmp in it. */
export async function withTmp(folder: Folder, exports: Members): Promise<Members> {
  const { Buffer } = await builtIn("node:buffer") as unknown as { Buffer: Members };
  const stream = await builtIn("node:stream") as unknown as { Readable: Members; Writable: new (o: Members) => Stream };
  const members: Members = {};
  for (const [name, { paths, run }] of Object.entries(calls(folder, Buffer))) {
    const ours = (given: unknown[]) => {
      const found = given.slice(0, paths).map(inTmp);
      return found.length < paths || found.includes(undefined) ? undefined : [...found, ...given.slice(paths)];
    };
    members[name + "Sync"] = (...given: unknown[]) => {
      const mapped = ours(given);
      return mapped === undefined ? (exports[name + "Sync"] as Call)(...given) : translated(name, () => run(...mapped));
    };
    members[name] = (...given: unknown[]) => {
      const mapped = ours(given);
      if (mapped === undefined) return (exports[name] as Call)(...given);
      const then = mapped.pop() as Call;
      let outcome: unknown[];
      try {
        outcome = [null, translated(name, () => run(...mapped))];
      } catch (error) {
        outcome = [error];
      }
      queueMicrotask(() => then(...outcome));
    };
  }
  const there = exports.existsSync as Call;
  members.existsSync = (path: unknown) => {
    const ours = inTmp(path);
    return ours === undefined ? there(path) : folder.exists(ours);
  };
  const promises = await promisesWithTmp(folder, exports.promises as Members);
  return { ...members, ...streams(folder, exports, stream), promises };
}

/** node:fs/promises with /tmp in it. */
export async function promisesWithTmp(folder: Folder, exports: Members): Promise<Members> {
  const { Buffer } = await builtIn("node:buffer") as unknown as { Buffer: Members };
  const members: Members = { ...exports };
  for (const [name, { paths, run }] of Object.entries(calls(folder, Buffer))) {
    members[name] = async (...given: unknown[]) => {
      const found = given.slice(0, paths).map(inTmp);
      if (found.length < paths || found.includes(undefined)) return await (exports[name] as Call)(...given);
      return translated(name, () => run(...found, ...given.slice(paths)));
    };
  }
  return members;
}

function streams(
  folder: Folder,
  exports: Members,
  { Readable, Writable }: { Readable: Members; Writable: new (options: Members) => Stream },
): Members {
  return {
    createReadStream: (path: unknown, given: unknown) => {
      const ours = inTmp(path);
      if (ours === undefined) return (exports.createReadStream as Call)(path, given);
      const { start = 0, end = Infinity, encoding } = options(given) as { start?: number; end?: number } & Encoded;
      const made = (Readable.from as Call)(
        (function* () {
          yield translated("open", () => folder.read(ours, start, end - start + 1));
        })(),
        { objectMode: false, encoding: encoding ?? undefined },
      );
      return Object.assign(made, { path });
    },
    createWriteStream: (path: unknown, given: unknown) => {
      const ours = inTmp(path);
      if (ours === undefined) return (exports.createWriteStream as Call)(path, given);
      const { flags = "w" } = options(given) as { flags?: string };
      translated(
        "open",
        () => folder.open(ours, { create: true, createNew: flags.includes("x"), truncate: flags[0] === "w" }),
      );
      const made = new Writable({
        write(data: Uint8Array, _encoding: string, done: (error?: unknown) => void) {
          try {
            translated("write", () => folder.write(ours, data, folder.status(ours).size));
            done();
          } catch (error) {
            done(error);
          }
        },
      });
      return Object.assign(made, { path });
    },
  };
}

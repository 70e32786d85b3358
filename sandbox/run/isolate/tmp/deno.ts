/** Deno's calls on files, for paths in /tmp; all others are Deno's own, and refused by the thread's permissions. */
import { Code, Folder, FolderError, inTmp, Opening, Status } from "./folder.ts";

// deno-lint-ignore no-explicit-any
type Call = (...given: any[]) => any;
type Options = Record<string, unknown> & { signal?: AbortSignal };

const { Error, ReadableStream, TextDecoder, TextEncoder, Uint8Array, WritableStream } = globalThis;
const { errors } = Deno;
const PIECE_BYTES = 64 << 10;

const KINDS: Partial<Record<Code, new (message: string) => Error>> = {
  ENOENT: errors.NotFound,
  EEXIST: errors.AlreadyExists,
  ENOTDIR: errors.NotADirectory,
  EISDIR: errors.IsADirectory,
  EPERM: errors.PermissionDenied,
};
const TEXTS: Record<Code, string> = {
  ENOENT: "No such file or directory",
  EEXIST: "File exists",
  ENOTDIR: "Not a directory",
  EISDIR: "Is a directory",
  ENOTEMPTY: "Directory not empty",
  ENOSPC: "No space left: /tmp is in memory and has a limit",
  EPERM: "Operation not permitted",
};

/** Runs what needs the folder, and translates its errors into those of Deno. */
function translated<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof FolderError)) throw error;
    const message = `${TEXTS[error.code]}: '${error.path}'`;
    const Kind = KINDS[error.code] ?? Error;
    throw Object.assign(new Kind(message), { code: error.code });
  }
}

function info({ isFile, size, born, changed }: Status): Deno.FileInfo {
  return {
    isFile,
    isDirectory: !isFile,
    isSymlink: false,
    size,
    mtime: changed,
    atime: changed,
    birthtime: born,
    ctime: changed,
    mode: isFile ? 0o100600 : 0o40700,
  } as Deno.FileInfo;
}

/** The calls that have a twin with the name ending in Sync; `of` says which of their arguments are paths. */
function twins(folder: Folder): Record<string, { of: number[]; run: Call }> {
  const write = (path: string, data: Uint8Array, options: Options = {}) => {
    const { append = false, create = true, createNew = false } = options as Opening & { append?: boolean };
    options.signal?.throwIfAborted();
    folder.open(path, { create, createNew, truncate: !append });
    folder.write(path, data, folder.status(path).size);
  };
  const copy = (from: string, to: string) => write(to, folder.read(from));
  return {
    readFile: { of: [0], run: (path: string) => folder.read(path) },
    readTextFile: { of: [0], run: (path: string) => new TextDecoder().decode(folder.read(path)) },
    writeFile: { of: [0], run: write },
    writeTextFile: {
      of: [0],
      run: (path: string, text: string, options?: Options) => write(path, new TextEncoder().encode(text), options),
    },
    mkdir: {
      of: [0],
      run: (path: string, options?: { recursive?: boolean }) => folder.makeFolder(path, options?.recursive === true),
    },
    remove: {
      of: [0],
      run: (path: string, options?: { recursive?: boolean }) => folder.remove(path, options?.recursive === true),
    },
    rename: { of: [0, 1], run: (from: string, to: string) => folder.rename(from, to) },
    copyFile: { of: [0, 1], run: copy },
    stat: { of: [0], run: (path: string) => info(folder.status(path)) },
    lstat: { of: [0], run: (path: string) => info(folder.status(path)) },
    realPath: { of: [0], run: (path: string) => (folder.status(path), path) },
    truncate: { of: [0], run: (path: string, size = 0) => folder.resize(path, size) },
    chmod: { of: [0], run: (path: string) => void folder.status(path) },
    utime: { of: [0], run: (path: string) => void folder.status(path) },
    open: {
      of: [0],
      run: (path: string, options: Opening & Options = { read: true }) => {
        folder.open(path, options);
        return new TmpFile(folder, path, options.append === true);
      },
    },
    create: {
      of: [0],
      run: (path: string) => {
        folder.open(path, { create: true, truncate: true });
        return new TmpFile(folder, path, false);
      },
    },
  };
}

/** Puts the calls in the place of Deno's. */
export function giveTmp(folder: Folder): void {
  const deno = Deno as unknown as Record<string, Call>;
  const put = (name: string, call: Call) =>
    Object.defineProperty(Deno, name, { value: call, configurable: true, enumerable: true, writable: true });
  for (const [name, { of, run }] of Object.entries(twins(folder))) {
    const [own, ownSync] = [deno[name], deno[name + "Sync"]];
    const mapped = (given: unknown[]) => {
      const paths = of.map((at) => inTmp(given[at]));
      if (paths.includes(undefined)) return undefined;
      return given.map((value, at) => of.includes(at) ? paths[of.indexOf(at)] : value);
    };
    put(name + "Sync", (...given) => {
      const ours = mapped(given);
      return ours === undefined ? ownSync(...given) : translated(() => run(...ours));
    });
    put(name, async (...given) => {
      const ours = mapped(given);
      if (ours === undefined) return await own(...given);
      if (ours[1] instanceof ReadableStream) ours[1] = await bytesOf(ours[1], name === "writeTextFile");
      return translated(() => run(...ours));
    });
  }
  giveLists(folder, deno, put);
  for (const [name, isFile] of [["makeTempFile", true], ["makeTempDir", false]] as const) {
    const make = ({ dir = "/tmp", prefix = "", suffix = "" } = {}) => {
      const within = inTmp(dir);
      if (within === undefined) throw new errors.NotCapable("a function has no folder but /tmp");
      return translated(() => folder.makeUnique(within, isFile, prefix, suffix));
    };
    put(name + "Sync", make);
    // deno-lint-ignore require-await
    put(name, async (options) => make(options));
  }
}

function giveLists(folder: Folder, deno: Record<string, Call>, put: (name: string, call: Call) => void): void {
  const list = (path: string) =>
    translated(() => folder.list(path)).map((name) => {
      const { isFile } = folder.status(`${path}/${name}`);
      return { name, isFile, isDirectory: !isFile, isSymlink: false };
    });
  const [own, ownSync] = [deno.readDir, deno.readDirSync];
  put("readDirSync", (path) => {
    const ours = inTmp(path);
    return ours === undefined ? ownSync(path) : list(ours)[Symbol.iterator]();
  });
  put("readDir", (path) => {
    const ours = inTmp(path);
    if (ours === undefined) return own(path);
    return (async function* () {
      yield* list(ours);
    })();
  });
}

// deno-lint-ignore no-explicit-any
async function bytesOf(stream: ReadableStream<any>, isText: boolean): Promise<string | Uint8Array> {
  const bytes = isText ? stream.pipeThrough(new TextEncoderStream()) : stream;
  const whole = new Uint8Array(await new Response(bytes).arrayBuffer());
  return isText ? new TextDecoder().decode(whole) : whole;
}

/** An open file: what Deno.FsFile is elsewhere. */
class TmpFile {
  #folder: Folder;
  #path: string;
  #append: boolean;
  #at = 0;

  constructor(folder: Folder, path: string, append: boolean) {
    this.#folder = folder;
    this.#path = path;
    this.#append = append;
  }

  readSync(into: Uint8Array): number | null {
    const piece = translated(() => this.#folder.read(this.#path, this.#at, into.byteLength));
    if (piece.byteLength === 0 && into.byteLength > 0) return null;
    into.set(piece);
    this.#at += piece.byteLength;
    return piece.byteLength;
  }

  writeSync(data: Uint8Array): number {
    translated(() => {
      if (this.#append) this.#at = this.#folder.status(this.#path).size;
      this.#folder.write(this.#path, data, this.#at);
    });
    this.#at += data.byteLength;
    return data.byteLength;
  }

  seekSync(offset: number | bigint, whence: Deno.SeekMode): number {
    const from = [0, this.#at, this.statSync().size][whence];
    return this.#at = Math.max(0, from + Number(offset));
  }

  statSync(): Deno.FileInfo {
    return translated(() => info(this.#folder.status(this.#path)));
  }

  truncateSync(size = 0): void {
    translated(() => this.#folder.resize(this.#path, size));
  }

  get readable(): ReadableStream<Uint8Array> {
    return new ReadableStream({
      pull: (controller) => {
        const piece = new Uint8Array(PIECE_BYTES);
        const count = this.readSync(piece);
        if (count === null) controller.close();
        else controller.enqueue(piece.subarray(0, count));
      },
    });
  }

  get writable(): WritableStream<Uint8Array> {
    return new WritableStream({ write: (data) => void this.writeSync(data) });
  }

  read = (into: Uint8Array) => settled(() => this.readSync(into));
  write = (data: Uint8Array) => settled(() => this.writeSync(data));
  seek = (offset: number | bigint, whence: Deno.SeekMode) => settled(() => this.seekSync(offset, whence));
  stat = () => settled(() => this.statSync());
  truncate = (size?: number) => settled(() => this.truncateSync(size));
  sync = () => settled(() => {});
  syncData = this.sync;
  syncSync(): void {}
  syncDataSync(): void {}
  close(): void {}
  [Symbol.dispose](): void {}
}

// deno-lint-ignore require-await
async function settled<T>(work: () => T): Promise<T> {
  return work();
}

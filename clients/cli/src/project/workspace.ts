import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, readFile, realpath, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { parse } from "smol-toml";
import { ExitCode, Failure } from "../failure.js";

/** Names of the folder that holds a project's migrations and functions; of two beside each other the first. */
export const FOLDERS = ["svc", "supabase"] as const;
const MARKS = ["config.toml", "migrations", "functions", ".temp"];
const REF = /^[a-z][a-z0-9]{7}$/;

/** The project that a folder belongs to. */
export interface Link {
  ref: string;
  url: string;
}

/** What `config.toml` says of one function. */
export interface FunctionSettings {
  enabled?: boolean;
  verifyJwt?: boolean;
  entrypoint?: string;
  importMap?: string;
}

export interface MigrationFile {
  version: string;
  /** With its version and `.sql`. */
  file: string;
}

export const isRef = (text: string): boolean => REF.test(text);

/** A folder `svc/` or `supabase/` with what belongs to a project. */
export class Workspace {
  private constructor(readonly folder: string) {}

  /** The nearest one at or above the directory. */
  static async find(directory: string): Promise<Workspace | undefined> {
    for (let at = resolve(directory);; at = dirname(at)) {
      for (const name of FOLDERS) {
        const folder = join(at, name);
        for (const mark of MARKS) if (await exists(join(folder, mark))) return new Workspace(folder);
      }
      if (dirname(at) === at) return undefined;
    }
  }

  /** The same, or the reason why a command cannot go on. */
  static async require(directory: string): Promise<Workspace> {
    const found = await Workspace.find(directory);
    if (found !== undefined) return found;
    throw new Failure(ExitCode.NO_PROJECT, `There is no folder svc/ or supabase/ in ${directory} or above it.`, {
      code: "no_folder",
      next: "svc init",
    });
  }

  static async create(directory: string): Promise<Workspace> {
    const workspace = new Workspace(join(resolve(directory), "svc"));
    await mkdir(workspace.migrations, { recursive: true });
    await mkdir(workspace.functions, { recursive: true });
    await writeNew(
      join(workspace.folder, "config.toml"),
      "# Settings of functions, such as:\n# [functions.hello]\n# verify_jwt = false\n",
    );
    return workspace;
  }

  get migrations(): string {
    return join(this.folder, "migrations");
  }

  get functions(): string {
    return join(this.folder, "functions");
  }

  get seed(): string {
    return join(this.folder, "seed.sql");
  }

  async link(): Promise<Link | undefined> {
    const file = this.#linkFile();
    const text = await readIfThere(file);
    if (text === undefined) return undefined;
    try {
      const { ref, url } = JSON.parse(text) as Partial<Link>;
      if (typeof ref === "string" && isRef(ref) && typeof url === "string") return { ref, url };
    } catch {
      // Said below.
    }
    throw new Failure(ExitCode.NO_PROJECT, `${file} does not name a project.`, { next: "svc link <ref>" });
  }

  async writeLink(link: Link): Promise<void> {
    const file = this.#linkFile();
    await mkdir(dirname(file), { recursive: true });
    // The choice of one machine: it is not part of the sources.
    await writeNew(join(dirname(file), ".gitignore"), "*\n");
    await writeFile(file, `${JSON.stringify(link, null, 2)}\n`);
  }

  /** The migrations by version, which orders as text, as in the project's history. Other files in the folder are refused, so that none is left out unnoticed. */
  async migrationFiles(): Promise<MigrationFile[]> {
    const names = (await readdirIfThere(this.migrations)).filter((name) => name.endsWith(".sql")).sort();
    const files = names.map((file) => {
      const version = /^(\d{1,32})_.*\.sql$/.exec(file)?.[1];
      if (version === undefined) {
        throw new Failure(ExitCode.USAGE, `${join(this.migrations, file)} is not named like a migration.`, {
          next: "rename it to <digits>_<name>.sql, such as 001_init.sql; svc migrations new <name> makes such a file",
        });
      }
      return { version, file };
    }).sort((one, other) => one.version < other.version ? -1 : one.version > other.version ? 1 : 0);
    files.forEach(({ version, file }, at) => {
      if (files[at - 1]?.version === version) {
        throw new Failure(ExitCode.USAGE, `${files[at - 1]!.file} and ${file} have the same version.`, {
          next: `rename one of them, so that its name begins with another number than ${version}`,
        });
      }
    });
    return files;
  }

  /** Names of the folders in functions/ that hold a function. */
  async functionNames(): Promise<string[]> {
    const names = [];
    for (const name of (await readdirIfThere(this.functions)).sort()) {
      if (/^[A-Za-z][A-Za-z0-9_-]*$/.test(name) && (await stat(join(this.functions, name))).isDirectory()) {
        names.push(name);
      }
    }
    return names;
  }

  async functionSettings(name: string): Promise<FunctionSettings> {
    const file = join(this.folder, "config.toml");
    const text = await readIfThere(file);
    if (text === undefined) return {};
    let content: Record<string, unknown>;
    try {
      content = parse(text) as Record<string, unknown>;
    } catch (error) {
      throw new Failure(ExitCode.USAGE, `${file} is not TOML: ${(error as Error).message.split("\n")[0]}`);
    }
    const all = content["functions"] as Record<string, Record<string, unknown>> | undefined;
    const own = all?.[name] ?? {};
    const typed = <T>(key: string, type: "boolean" | "string"): T | undefined => {
      const value = own[key];
      if (value === undefined) return undefined;
      const found = typeof value;
      if (found === type) return value as T;
      throw new Failure(ExitCode.USAGE, `${file}: ${key} of the function ${name} must be a ${type}.`);
    };
    const enabled = typed<boolean>("enabled", "boolean");
    const verifyJwt = typed<boolean>("verify_jwt", "boolean");
    const entrypoint = typed<string>("entrypoint", "string");
    const importMap = typed<string>("import_map", "string");
    return {
      ...(enabled === undefined ? {} : { enabled }),
      ...(verifyJwt === undefined ? {} : { verifyJwt }),
      ...(entrypoint === undefined ? {} : { entrypoint: resolve(this.folder, entrypoint) }),
      ...(importMap === undefined ? {} : { importMap: resolve(this.folder, importMap) }),
    };
  }

  /** Supabase's own tool keeps another file in the same folder; its refs are not ours. */
  #linkFile(): string {
    return join(this.folder, ".temp", "svc-project.json");
  }
}

/** Writes a file only if there is none. */
export async function writeNew(file: string, text: string): Promise<boolean> {
  try {
    const handle = await open(file, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY);
    await handle.writeFile(text);
    await handle.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

/** Whether the file, after all links, lies in the folder: what a link leads to elsewhere is never sent. */
export async function liesIn(folder: string, file: string): Promise<boolean> {
  const way = relative(await realpath(folder), await realpath(file));
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !way.startsWith(sep);
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(() => true, () => false);
}

async function readdirIfThere(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

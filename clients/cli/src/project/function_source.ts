import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { ExitCode, Failure } from "../failure.js";
import { type FunctionSettings, liesIn, type Workspace } from "./workspace.js";

/** A function as `POST …/functions/deploy` takes it. */
export interface Deployment {
  name: string;
  source: string;
  files: Record<string, string>;
  entrypoint: string;
  import_map?: string;
  verify_jwt?: boolean;
}

export interface FunctionSource {
  deployment: Deployment;
  /** Files that were left out, with the reason. */
  skipped: string[];
}

const ENTRYPOINTS = ["index.ts", "index.tsx", "index.js", "index.mjs", "index.jsx"];
const MAPS = ["deno.json", "deno.jsonc", "import_map.json"];
const SHARED = "_shared";
// The platform's own limits; a folder above them is not even read to its end.
const MAX_FILES = 256;
const MAX_BYTES = 10 * 1024 * 1024;

/**
 * Reads the folder of one function, `_shared`, the import map that applies to it, and what these import from elsewhere in
 * functions/. Hidden files stay here.
 */
export async function readFunction(
  workspace: Workspace,
  name: string,
  settings: FunctionSettings,
): Promise<FunctionSource> {
  const root = workspace.functions;
  const folder = join(root, name);
  const skipped: string[] = [];
  const files = new Map<string, string>();
  const budget = { bytes: MAX_BYTES, root, skipped, files, name };
  await readFolder(folder, "", budget);
  const entrypoint = await entrypointOf(folder, files, settings);
  const source = files.get(entrypoint)!;
  files.delete(entrypoint);
  await readFolder(join(root, SHARED), SHARED, budget);
  const map = await importMap(root, folder, files, settings, budget);
  await readImported(entrypoint, source, map, budget);
  const deployment: Deployment = { name, source, files: Object.fromEntries(files), entrypoint };
  if (map !== undefined) deployment.import_map = map;
  if (settings.verifyJwt !== undefined) deployment.verify_jwt = settings.verifyJwt;
  return { deployment, skipped };
}

/** Relative specifiers of imports, exports and calls of import(); more than there are is harmless. */
const IMPORTED = /(?:\bfrom|\bimport)\s*\(?\s*["'](\.\.?\/[^"'\n]+)["']/g;

/** Adds the files that others of the function import from further folders in functions/, by the path `../folder/file`. */
async function readImported(
  entrypoint: string,
  source: string,
  map: string | undefined,
  budget: Budget,
): Promise<void> {
  const home = join(budget.root, budget.name);
  const at = (path: string): string => path.startsWith(`${SHARED}/`) ? join(budget.root, path) : join(home, path);
  const read = async (file: string, folderToo: boolean): Promise<void> => {
    const path = relative(home, file).split(sep).join("/");
    const shown = path.startsWith(`../${SHARED}/`) ? path.slice(3) : path;
    // Above functions/ is nothing of a function; what is in its own folder or in _shared was read.
    if (!path.startsWith("../") || path.startsWith("../../") || budget.files.has(shown)) return;
    if (!(await liesIn(budget.root, file).catch(() => false))) return;
    if (!(await stat(file)).isDirectory()) await readText(file, shown, budget);
    else if (folderToo) await readFolder(file, shown, budget);
  };
  const maps = [map, ...MAPS].filter((name) => name !== undefined && budget.files.has(name)) as string[];
  for (const name of maps.slice(0, 1)) {
    // Addresses of an import map stand without from: every quoted relative path is tried.
    for (const [, path] of budget.files.get(name)!.matchAll(/:\s*"(\.\.?\/[^"\n]+)"/g)) {
      await read(join(home, path!), true);
      // A map of functions/ itself counts as the function's own; its addresses are relative to where it lies.
      await read(join(budget.root, path!), true);
    }
  }
  const seen = new Set<string>([entrypoint]);
  const texts: [string, string][] = [[entrypoint, source]];
  for (const [path, text] of texts) {
    for (const [, specifier] of text.matchAll(IMPORTED)) await read(join(at(path), "..", specifier!), false);
    for (const [found, content] of budget.files) {
      if (!seen.has(found)) texts.push([found, content]);
      seen.add(found);
    }
  }
}

interface Budget {
  bytes: number;
  root: string;
  name: string;
  skipped: string[];
  files: Map<string, string>;
}

async function readFolder(folder: string, prefix: string, budget: Budget): Promise<void> {
  let names: string[];
  try {
    names = (await readdir(folder)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  for (const name of names) {
    // Among hidden files are .env and .git.
    if (name.startsWith(".") || name === "node_modules") continue;
    const path = join(folder, name);
    const shown = prefix === "" ? name : `${prefix}/${name}`;
    if (!(await liesIn(budget.root, path).catch(() => false))) {
      budget.skipped.push(`${path} leads out of ${budget.root}`);
      continue;
    }
    if ((await stat(path)).isDirectory()) await readFolder(path, shown, budget);
    else await readText(path, shown, budget);
  }
}

async function readText(path: string, shown: string, budget: Budget): Promise<void> {
  if (budget.files.has(shown)) return;
  const { size } = await stat(path);
  budget.bytes -= size;
  if (budget.bytes < 0) throw tooMuch(budget.name, "10 MB");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch {
    budget.skipped.push(`${path} is not a text in UTF-8`);
    return;
  }
  budget.files.set(shown, text);
  if (budget.files.size > MAX_FILES) throw tooMuch(budget.name, `${MAX_FILES} files`);
}

const tooMuch = (name: string, limit: string): Failure =>
  new Failure(ExitCode.REFUSED, `The function ${name} and what it shares have more than ${limit}.`, {
    code: "function_too_large",
    next: "move what the function does not import out of its folder",
  });

async function entrypointOf(folder: string, files: Map<string, string>, settings: FunctionSettings): Promise<string> {
  if (settings.entrypoint !== undefined) {
    const name = relative(folder, settings.entrypoint).split(sep).join("/");
    if (files.has(name)) return name;
    throw new Failure(ExitCode.USAGE, `The entrypoint ${settings.entrypoint} is no file in ${folder}.`, {
      next: "correct entrypoint in config.toml",
    });
  }
  const found = ENTRYPOINTS.find((name) => files.has(name));
  if (found !== undefined) return found;
  throw new Failure(ExitCode.USAGE, `${folder} has no ${ENTRYPOINTS.slice(0, 3).join(", ")}.`, {
    code: "no_function",
    next: `svc functions new ${basename(folder)}`,
  });
}

/**
 * The path of the import map among the files: the one of config.toml, else of the function's folder, which the platform finds
 * without a path, else of functions/, which then counts as if it were the function's own.
 */
async function importMap(
  root: string,
  folder: string,
  files: Map<string, string>,
  settings: FunctionSettings,
  budget: Budget,
): Promise<string | undefined> {
  if (settings.importMap === undefined) {
    if (MAPS.some((name) => files.has(name))) return undefined;
    for (const name of MAPS) {
      if (await liesIn(root, join(root, name)).catch(() => false)) {
        await readText(join(root, name), name, budget);
        return name;
      }
    }
    return undefined;
  }
  const inFolder = relative(folder, settings.importMap).split(sep).join("/");
  if (files.has(inFolder)) return inFolder;
  const inRoot = relative(root, settings.importMap).split(sep).join("/");
  if (files.has(inRoot)) return inRoot;
  if (dirname(settings.importMap) === root && (await liesIn(root, settings.importMap).catch(() => false))) {
    await readText(settings.importMap, inRoot, budget);
    return inRoot;
  }
  throw new Failure(
    ExitCode.USAGE,
    `The import map ${settings.importMap} is no file of the function, of _shared or in ${root}.`,
    {
      next: "correct import_map in config.toml",
    },
  );
}

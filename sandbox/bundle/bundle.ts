/** Makes one JavaScript module of a function. The compiler sees only what Modules gives it: it has no file system. */
import * as esbuild from "esbuild-wasm";
import { Fault, type FaultKind, type Place } from "./fault.ts";
import { ImportMap } from "./importmap.ts";
import { type How, Modules, type Target } from "./modules.ts";
import { type Policy, Registry } from "./registry.ts";
import { SCHEME, SourceTree } from "./source.ts";

export interface Job {
  name: string;
  entrypoint: string;
  source: string;
  /** Path and text. */
  files: [string, string][];
  importMap: string | null;
  /** The largest module that may be made, in bytes. */
  limit: number;
}

export interface FaultReport extends Partial<Place> {
  kind: FaultKind;
  message: string;
}

/** Where each place of the bundle comes from: the mappings of a source map, and its files as the user named them. */
export interface Origins {
  mappings: string;
  sources: string[];
}

export type Result = { bundle: string; origins: Origins } | { faults: FaultReport[] };

const SPACE = "m";
const GLOBALS = "svc-globals:";
const BUILTIN = "svc-builtin:";
const COMMONJS = "svc-commonjs:";
const MISSING = "svc-missing:";
const TYPES = "svc-types:";
const FAULTS = 20;

/** Globals of Node.js that packages use without importing them; only those that are used come into the module. */
const NODE_GLOBALS = `export { Buffer } from "node:buffer"; export { setImmediate, clearImmediate } from "node:timers";`;

export async function bundle(job: Job, policy: Policy): Promise<Result> {
  try {
    const tree = new SourceTree(job.name, job.entrypoint, job.source, job.files);
    const map = ImportMap.read(tree, job.importMap);
    const modules = new Modules(tree, map, new Registry(policy));
    await modules.prepare();
    return await build(job, tree, map, modules);
  } catch (error) {
    if (error instanceof Fault) return { faults: [{ kind: error.kind, message: error.message, ...error.place }] };
    throw error;
  }
}

async function build(job: Job, tree: SourceTree, map: ImportMap, modules: Modules): Promise<Result> {
  try {
    const made = await esbuild.build({
      entryPoints: [{ in: tree.entry, out: "function" }],
      bundle: true,
      write: false,
      format: "esm",
      platform: "neutral",
      target: "esnext",
      charset: "utf8",
      legalComments: "none",
      sourcemap: "external",
      sourcesContent: false,
      outdir: "/",
      logLevel: "silent",
      treeShaking: true,
      inject: [GLOBALS],
      define: { "process.env.NODE_ENV": '"production"', global: "globalThis", __dirname: '"/"', __filename: '"/index.js"' },
      tsconfigRaw: { compilerOptions: map.compilerOptions },
      plugins: [plugin(modules)],
    });
    const { contents, text } = made.outputFiles.find(({ path }) => path.endsWith(".js"))!;
    const produced = JSON.parse(made.outputFiles.find(({ path }) => path.endsWith(".map"))!.text);
    if (contents.length > job.limit) {
      return { faults: [{ kind: "too_large", message: `With all it imports the function has ${contents.length} bytes; ${job.limit} are allowed.` }] };
    }
    return { bundle: text, origins: { mappings: produced.mappings, sources: produced.sources.map((source: string) => named(source, tree)) } };
  } catch (failure) {
    const { errors } = failure as { errors?: esbuild.Message[] };
    if (errors === undefined) throw failure;
    return { faults: errors.slice(0, FAULTS).map((error) => report(error, tree)) };
  }
}

function plugin(modules: Modules): esbuild.Plugin {
  return {
    name: "function",
    setup(build) {
      build.onResolve({ filter: /.*/ }, async ({ path, importer, kind, with: attributes }) => {
        if (kind === "entry-point" || path === GLOBALS) return { path, namespace: SPACE, sideEffects: path !== GLOBALS };
        if (importer.startsWith(GLOBALS) || importer.startsWith(BUILTIN)) return { path, external: true, sideEffects: false };
        if (importer.startsWith(COMMONJS)) return { path, namespace: SPACE };
        try {
          return resolved(await modules.resolve(path, importer, HOW[kind] ?? "imported"));
        } catch (error) {
          return { errors: [asMessage(error)] };
        }
      });
      build.onLoad({ filter: /.*/, namespace: SPACE }, async ({ path, with: attributes }) => {
        if (path === GLOBALS) return { contents: NODE_GLOBALS, loader: "js" };
        if (path.startsWith(BUILTIN)) {
          return { contents: `import built from ${JSON.stringify(path.slice(BUILTIN.length))}; module.exports = built;`, loader: "js" };
        }
        if (path.startsWith(COMMONJS)) {
          const url = JSON.stringify(path.slice(COMMONJS.length));
          return { contents: `export * from ${url}; export default require(${url});`, loader: "js" };
        }
        if (path === TYPES) return { contents: "", loader: "ts" };
        if (path.startsWith(MISSING)) {
          const message = JSON.stringify(path.slice(MISSING.length));
          return { contents: `throw Object.assign(new Error(${message}), { code: "MODULE_NOT_FOUND" });`, loader: "js" };
        }
        try {
          return await modules.load(path, attributes.type);
        } catch (error) {
          return { errors: [asMessage(error)] };
        }
      });
    },
  };
}

const HOW: Partial<Record<esbuild.ImportKind, How>> = {
  "require-call": "required",
  "require-resolve": "required",
  "dynamic-import": "dynamic",
};

function resolved(target: Target): esbuild.OnResolveResult {
  switch (target.kind) {
    case "builtin":
      // A required built-in is imported all the same: a module has no require.
      return target.required ? { path: BUILTIN + target.name, namespace: SPACE } : { path: target.name, external: true };
    case "types":
      return { path: TYPES, namespace: SPACE, sideEffects: false };
    case "missing":
      return { path: MISSING + target.message, namespace: SPACE };
    case "commonjs":
      return { path: COMMONJS + target.url, namespace: SPACE, sideEffects: target.sideEffects };
    case "module":
      return { path: target.url, namespace: SPACE, sideEffects: target.sideEffects };
  }
}

function asMessage(error: unknown): esbuild.PartialMessage {
  if (!(error instanceof Fault)) throw error;
  return { text: error.message, detail: error };
}

/** A file as the compiler calls it, in the user's words. */
function named(file: string, tree: SourceTree): string {
  const url = file.replace(/^m:/, "");
  return url.startsWith(SCHEME) ? tree.display(url) : url;
}

function report(error: esbuild.Message, tree: SourceTree): FaultReport {
  const fault = error.detail instanceof Fault ? error.detail : undefined;
  const kind = fault?.kind ?? "syntax";
  const message = fault?.message ?? error.text;
  if (error.location === null) return { kind, message };
  // The compiler counts from 0, in bytes of UTF-8; people count characters from 1.
  const before = new TextDecoder().decode(new TextEncoder().encode(error.location.lineText).subarray(0, error.location.column));
  return { kind, message, file: named(error.location.file, tree), line: error.location.line, column: before.length + 1 };
}

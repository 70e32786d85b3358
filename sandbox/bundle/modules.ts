/** What a specifier means, and what stands there: the one place that decides what a function may consist of. */
import { builtinModules } from "node:module";
import { Fault } from "./fault.ts";
import { type ImportMap, isRelative } from "./importmap.ts";
import { Jsr } from "./jsr.ts";
import { type Found, Missing, Npm } from "./npm.ts";
import type { Registry } from "./registry.ts";
import { SCHEME, type SourceTree } from "./source.ts";

export type Loader = "ts" | "tsx" | "js" | "jsx" | "json" | "text" | "binary";

export type Target =
  /** Left to the runtime. */
  | { kind: "builtin"; name: string; required: boolean }
  | { kind: "module"; url: string; sideEffects: boolean }
  /** CommonJS that is to be read as Node.js reads it: what it exports is its default. */
  | { kind: "commonjs"; url: string; sideEffects: boolean }
  /** Declarations of types: nothing at run time. */
  | { kind: "types" }
  /** Throws when it is run. */
  | { kind: "missing"; message: string };

/** Whether a specifier stands in an import, in a call of import(), or in a call of require(). */
export type How = "imported" | "dynamic" | "required";

export interface Module {
  contents: string | Uint8Array;
  loader: Loader;
}

const MODULES = 3_000;
/** As Deno does, a module of declarations is not read to run a function: Supabase's templates import one of its runtime. */
const DECLARATIONS = /\.d\.[mc]?ts$/;
const BUILTINS = new Set(builtinModules.map((name) => name.replace(/^node:/, "")));
const BY_EXTENSION: Record<string, Loader> = {
  ts: "ts", mts: "ts", cts: "ts", tsx: "tsx", js: "js", mjs: "js", cjs: "js", jsx: "jsx", json: "json",
};
const BY_TYPE: Record<string, Loader> = {
  "application/typescript": "ts", "text/typescript": "ts", "video/mp2t": "ts", "application/x-typescript": "ts",
  "text/tsx": "tsx", "text/jsx": "jsx", "application/json": "json",
  "application/javascript": "js", "text/javascript": "js", "application/ecmascript": "js", "text/ecmascript": "js",
};

export class Modules {
  readonly #npm: Npm;
  readonly #jsr: Jsr;
  readonly #redirected = new Map<string, string>();
  readonly #loaded = new Map<string, Promise<Module>>();

  constructor(private readonly tree: SourceTree, private readonly map: ImportMap, private readonly registry: Registry) {
    this.#npm = new Npm(registry);
    this.#jsr = new Jsr(registry);
  }

  /** Looks through the user's own files for packages that are named in them. */
  async prepare(): Promise<void> {
    const named = [...this.map.targets()].filter((target) => target.startsWith("npm:"));
    for (const text of this.tree.texts()) named.push(...text.match(/npm:\/?@?[\w~./-]+(?:@[^\s"'`/]+)?/g) ?? []);
    await this.#npm.name(named);
  }

  async resolve(specifier: string, referrer: string, how: How): Promise<Target> {
    const required = how === "required";
    if (specifier.includes("\0")) throw new Fault("import_forbidden", "A specifier contains no NUL.");
    if (DECLARATIONS.test(specifier)) return { kind: "types" };
    if (referrer.startsWith("npm:///")) return await this.#resolveInPackage(specifier, referrer, how);
    const mapped = this.map.resolve(specifier, referrer) ?? specifier;
    if (isRelative(mapped)) return await this.#resolveUrl(new URL(mapped, this.#redirected.get(referrer) ?? referrer), referrer, required);
    if (!/^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(mapped)) throw bare(mapped);
    let url;
    try {
      url = new URL(mapped);
    } catch {
      throw new Fault("import_failed", `"${mapped}" is not an address.`);
    }
    return await this.#resolveUrl(url, referrer, required, mapped);
  }

  async #resolveUrl(url: URL, referrer: string, required: boolean, written = url.href): Promise<Target> {
    switch (url.protocol) {
      case "node:":
        return builtin(written.slice("node:".length), required);
      case "npm:":
        return packaged(await this.#npm.resolve(written, required), !required);
      case "jsr:":
        return { kind: "module", url: await this.#jsr.resolve(written), sideEffects: true };
      case "http:":
      case "https:":
        this.registry.admit(url);
        url.hash = "";
        return { kind: "module", url: url.href, sideEffects: true };
      case SCHEME:
        return this.#own(url, referrer);
      default:
        throw new Fault("import_forbidden", `A function does not import from ${url.protocol} addresses: write the module into files, or import it over https.`);
    }
  }

  #own(url: URL, referrer: string): Target {
    // Only the function's own files, and its import map, speak of its own files.
    if (!referrer.startsWith(SCHEME)) throw new Fault("import_forbidden", "A module from a registry does not import the function's own files.");
    const path = url.href.split(/[?#]/)[0];
    const file = this.tree.find(path);
    if (file !== undefined) return { kind: "module", url: file.url, sideEffects: true };
    if (!path.startsWith("svc:///functions/")) throw new Fault("import_forbidden", `${url.pathname} is outside the functions folder.`);
    const near = this.tree.near(path);
    throw new Fault("import_failed", `There is no file ${this.tree.display(path)}.` + (near === undefined ? " Send it in files." : ` There is ${near}: imports name files in full.`));
  }

  async #resolveInPackage(specifier: string, referrer: string, how: How): Promise<Target> {
    const required = how === "required";
    if (/^(https?|data|file|blob|svc):/i.test(specifier)) throw new Fault("import_forbidden", "A package of npm imports packages only.");
    if (specifier.startsWith("node:")) return builtin(specifier.slice("node:".length), required);
    try {
      const found = await this.#npm.resolveInside(specifier, referrer, how, (name) => BUILTINS.has(name));
      if (found === undefined) return builtin(specifier.replace(/\/$/, ""), required);
      return packaged(found, !required && (await this.#npm.isNodeModule(referrer)));
    } catch (error) {
      // Packages try what they do not depend on, and go on without it.
      if (error instanceof Missing && how !== "imported") return { kind: "missing", message: error.message };
      throw error;
    }
  }

  /** @param type the import's attribute: json, text or bytes */
  load(url: string, type: string | undefined): Promise<Module> {
    const key = `${type ?? ""} ${url}`;
    let loaded = this.#loaded.get(key);
    if (loaded === undefined) {
      if (this.#loaded.size >= MODULES) throw new Fault("too_large", `The function has more than ${MODULES} modules.`);
      this.#loaded.set(key, (loaded = this.#load(url, type)));
    }
    return loaded;
  }

  async #load(url: string, type: string | undefined): Promise<Module> {
    if (url.startsWith(SCHEME)) {
      const text = this.tree.find(url)!.text;
      const loader = loaderOf(url, undefined, type);
      return { contents: loader === "tsx" || loader === "jsx" ? withRuntime(text) : text, loader };
    }
    if (url.startsWith("npm:///")) return { contents: await this.#npm.load(url), loader: loaderOf(url, "text/javascript", type) };
    const answer = await this.registry.read(url, "application/typescript, text/javascript, */*;q=0.8");
    this.#redirected.set(url, answer.url);
    return { contents: answer.body, loader: loaderOf(answer.url, answer.type, type) };
  }
}

/** A file that names its own JSX source means the automatic transform; the compiler needs an explicit option for that. */
function withRuntime(text: string): string {
  return /@jsxImportSource\s/.test(text) && !/@jsxRuntime\s/.test(text) ? text + "\n/** @jsxRuntime automatic */" : text;
}

function packaged(found: Found, asNode: boolean): Target {
  return { kind: asNode && found.transpiled ? "commonjs" : "module", url: found.url, sideEffects: found.sideEffects };
}

function builtin(name: string, required: boolean): Target {
  if (!BUILTINS.has(name)) throw new Fault("import_failed", `There is no built-in module node:${name}.`);
  return { kind: "builtin", name: "node:" + name, required };
}

function bare(specifier: string): Fault {
  const meant = BUILTINS.has(specifier) ? `node:${specifier}` : `npm:${specifier}`;
  return new Fault("import_failed", `"${specifier}" is neither a path nor an address. Write "${meant}", or map the name in deno.json.`);
}

function loaderOf(url: string, contentType: string | undefined, type: string | undefined): Loader {
  if (type === "json" || type === "text") return type;
  if (type === "bytes") return "binary";
  const extension = /\.([a-z]+)$/.exec(new URL(url).pathname.toLowerCase())?.[1] ?? "";
  const loader = BY_EXTENSION[extension] ?? BY_TYPE[contentType ?? ""];
  if (loader === undefined) {
    throw new Fault("import_failed", `${extension === "" ? "What is there" : `A file .${extension}`} is no module that can be bundled` +
      (contentType ? ` (${contentType}).` : "; import a text with { type: \"text\" }."));
  }
  return loader;
}

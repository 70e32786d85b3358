/**
 * Packages of npm without a folder node_modules: each module is `npm:///<name>@<version>/<path>`, and what a package
 * imports is looked up by its own package.json. Versions follow from the ranges and the registry alone, never from the
 * order in which modules were met: the newest that fits, or the one that the function itself names when that fits.
 */
import { maxSatisfying, satisfies, validRange } from "semver";
import { exports as exportsOf, imports as importsOf } from "resolve.exports";
import { Fault } from "./fault.ts";
import type { How } from "./modules.ts";
import type { Registry } from "./registry.ts";
import { unpack } from "./tar.ts";

interface Dist {
  tarball: string;
  integrity?: string;
}

interface Listing {
  "dist-tags": Record<string, string>;
  versions: Record<string, { dist: Dist }>;
}

interface Latest {
  version: string;
  dist: Dist;
}

interface Manifest {
  name: string;
  version: string;
  main?: string;
  module?: string;
  exports?: unknown;
  imports?: unknown;
  sideEffects?: unknown;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  type?: string;
}

interface Package {
  manifest: Manifest;
  files: Map<string, Uint8Array>;
}

export interface Found {
  url: string;
  sideEffects: boolean;
  /** Whether it is CommonJS that says it was made from a module, which Node.js does not heed and others do. */
  transpiled: boolean;
}

/** Something that a package requires and does not depend on: an error only where it is needed at run time. */
export class Missing extends Fault {}

const NAME = /^(?:npm:\/?)((?:@[a-z0-9~._-]+\/)?[a-z0-9~_-][a-z0-9~._-]*)(?:@([^/]+))?(\/.*)?$/i;
const MODULE = /^npm:\/\/\/((?:@[^/]+\/)?[^/@]+)@([^/]+)\/(.*)$/;
const LISTING = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8";
const UNPACKED_BYTES = 64 << 20;
const KEPT_BYTES = 96 << 20;
const CONDITIONS = ["deno", "node"];

/** Packages never change, so they outlive the function that asked first; checked by the registry's own checksum. */
const kept = new Map<string, Package>();
let keptBytes = 0;

export class Npm {
  readonly #listings = new Map<string, Promise<Listing>>();
  readonly #latest = new Map<string, Promise<Latest | undefined>>();
  readonly #packages = new Map<string, Promise<Package>>();
  /** Versions that the function names itself, by package. */
  readonly #named = new Map<string, Set<string>>();

  constructor(private readonly registry: Registry) {}

  /** Takes notice of what the function names, so that it shares one copy with the packages that need it, too. */
  async name(specifiers: Iterable<string>): Promise<void> {
    for (const specifier of new Set(specifiers)) {
      const parts = NAME.exec(specifier);
      if (parts === null) continue;
      try {
        const version = await this.#version(parts[1], parts[2] ?? "*", false);
        this.#named.set(parts[1], (this.#named.get(parts[1]) ?? new Set()).add(version));
      } catch (error) {
        // Reported where it is imported, if it is at all: a comment may speak of a package, too.
        if (!(error instanceof Fault) || error.kind === "unreachable") throw error;
      }
    }
  }

  async resolve(specifier: string, required: boolean): Promise<Found> {
    const parts = NAME.exec(specifier);
    if (parts === null) throw new Fault("import_failed", `"${specifier}" is not of the form npm:name@version.`);
    const [, name, range = "*", entry = ""] = parts;
    const version = await this.#version(name, range, false);
    return await this.#entry(name, version, entry === "/" ? "" : entry, required);
  }

  /** What a module of a package means by a specifier; undefined when it means a module of Node.js. */
  async resolveInside(specifier: string, referrer: string, how: How, builtIn: (name: string) => boolean): Promise<Found | undefined> {
    const required = how === "required";
    const [, name, version, path] = MODULE.exec(referrer)!;
    const own = await this.#package(name, version);
    if (specifier.startsWith("./") || specifier.startsWith("../") || specifier === "." || specifier === "..") {
      const url = new URL(specifier.replace(/\/{2,}/g, "/"), `file:///${path}`);
      return this.#file(name, version, own, decodeURIComponent(url.pathname.slice(1)));
    }
    if (specifier.startsWith("#")) {
      const target = this.#try(() => importsOf(own.manifest, specifier, { conditions: CONDITIONS, unsafe: false, require: required }))?.[0];
      if (target === undefined) throw new Fault("import_failed", `${name}@${version} does not define "${specifier}".`);
      if (target.startsWith("./")) return this.#file(name, version, own, target);
      return await this.resolveInside(target, referrer, how, builtIn);
    }
    if (specifier.startsWith("node:") || builtIn(specifier.replace(/\/$/, "")) && !this.#rangeOf(own.manifest, specifier)) return undefined;
    const parts = /^((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(specifier);
    const range = parts === null ? undefined : parts[1] === name ? version : this.#rangeOf(own.manifest, parts[1], how === "imported");
    if (parts === null || range === undefined) {
      throw new Missing("import_failed", `${name}@${version} imports "${specifier}", which it does not depend on.`);
    }
    const alias = /^npm:((?:@[^/]+\/)?[^@]+)@(.*)$/.exec(range);
    const target = alias?.[1] ?? parts[1];
    return await this.#entry(target, await this.#version(target, alias?.[2] ?? range, true), parts[2] ?? "", required);
  }

  async load(url: string): Promise<Uint8Array> {
    const [, name, version, path] = MODULE.exec(url)!;
    return (await this.#package(name, version)).files.get(decodeURIComponent(path))!;
  }

  /** @param certain whether the module cannot go on without it: an import, unlike a require that may be caught */
  #rangeOf(manifest: Manifest, name: string, certain = false): string | undefined {
    const own = <T>(all?: Record<string, T>) => (all && Object.hasOwn(all, name) ? all[name] : undefined);
    const needed = own(manifest.dependencies) ?? own(manifest.optionalDependencies);
    // A peer that is optional is there when the function names it, as with npm, or when an import needs it: then a package
    // of the function depends on it, which npm would have installed beside this one.
    const absent = !certain && own(manifest.peerDependenciesMeta)?.optional === true && !this.#named.has(name);
    return needed ?? (absent ? undefined : own(manifest.peerDependencies));
  }

  /** Whether a module of a package is a module to Node.js, too, and so reads CommonJS as Node.js does. */
  async isNodeModule(url: string): Promise<boolean> {
    const [, name, version, path] = MODULE.exec(url)!;
    return this.#isModule(await this.#package(name, version), decodeURIComponent(path));
  }

  #isModule({ manifest, files }: Package, path: string): boolean {
    if (!/\.[jt]sx?$/.test(path)) return path.endsWith(".mjs");
    for (let folder = path; folder.includes("/");) {
      folder = folder.slice(0, folder.lastIndexOf("/"));
      const inner = files.get(folder + "/package.json");
      if (inner !== undefined) return this.#try(() => JSON.parse(new TextDecoder().decode(inner)).type) === "module";
    }
    return manifest.type === "module";
  }

  async #version(name: string, range: string, inside: boolean): Promise<string> {
    const wanted = range.trim() === "" ? "*" : range.trim();
    if (inside) {
      const named = validRange(wanted) === null ? null : maxSatisfying([...(this.#named.get(name) ?? [])], wanted);
      if (named !== null) return named;
    }
    // What the registry calls the latest comes before newer ones, as with npm itself. Asked first because it is a
    // thousandth of the whole list.
    const latest = await this.#newest(name);
    if (latest !== undefined && (wanted === "latest" || (validRange(wanted) !== null && satisfies(latest.version, wanted)))) return latest.version;
    const listing = await this.#listing(name);
    const tags = listing["dist-tags"] ?? {};
    if (Object.hasOwn(tags, wanted)) return tags[wanted];
    if (validRange(wanted) === null) throw new Fault("import_failed", `"${range}" is not a range of versions of npm:${name}.`);
    if (tags.latest !== undefined && satisfies(tags.latest, wanted)) return tags.latest;
    const found = maxSatisfying(Object.keys(listing.versions ?? {}), wanted);
    if (found === null) throw new Fault("import_failed", `npm:${name} has no version ${range}.`);
    return found;
  }

  #address(name: string): string {
    return this.registry.policy.npm.replace(/\/$/, "") + "/" + name.replace("/", "%2f");
  }

  #listing(name: string): Promise<Listing> {
    if (!this.#listings.has(name)) {
      const listing = this.registry.json<Listing>(this.#address(name), LISTING).catch((fault) => {
        if (fault instanceof Fault && fault.status === 404) throw new Fault("import_failed", `There is no package npm:${name}.`);
        throw fault;
      });
      this.#listings.set(name, listing);
    }
    return this.#listings.get(name)!;
  }

  /** The version that a plain install takes; undefined where the registry does not know this question. */
  #newest(name: string): Promise<Latest | undefined> {
    if (!this.#latest.has(name)) {
      const asked = this.registry.json<Latest>(this.#address(name) + "/latest").catch((fault) => {
        if (fault instanceof Fault && fault.kind === "import_failed") return undefined;
        throw fault;
      });
      this.#latest.set(name, asked.then((latest) => (latest?.version && latest.dist?.tarball ? latest : undefined)));
    }
    return this.#latest.get(name)!;
  }

  async #package(name: string, version: string): Promise<Package> {
    const key = `${name}@${version}`;
    if (!this.#packages.has(key)) this.#packages.set(key, this.#fetch(name, version));
    return await this.#packages.get(key)!;
  }

  async #fetch(name: string, version: string): Promise<Package> {
    const latest = await this.#newest(name);
    const dist = latest?.version === version ? latest.dist : (await this.#listing(name)).versions[version]?.dist;
    if (dist === undefined) throw new Fault("import_failed", `npm:${name} has no version ${version}.`);
    const known = dist.integrity && kept.get(dist.integrity);
    if (known) return known;
    const { body } = await this.registry.read(dist.tarball);
    await check(body, dist.integrity, `${name}@${version}`);
    const files = await unpack(body, UNPACKED_BYTES);
    const manifest = files.get("package.json");
    if (manifest === undefined) throw new Fault("import_failed", `The package ${name}@${version} has no package.json.`);
    const made = { manifest: { ...JSON.parse(new TextDecoder().decode(manifest)), name, version } as Manifest, files };
    if (dist.integrity) keep(dist.integrity, made);
    return made;
  }

  async #entry(name: string, version: string, entry: string, required: boolean): Promise<Found> {
    const { manifest, files } = await this.#package(name, version);
    if (manifest.exports != null) {
      const options = { conditions: CONDITIONS, unsafe: false, require: required };
      const target = this.#try(() => exportsOf(manifest, entry === "" ? "." : "." + entry, options))?.[0];
      if (target === undefined) {
        throw new Fault("import_failed", `npm:${name}@${version} has no entry point "${entry === "" ? "." : "." + entry}".`);
      }
      return this.#file(name, version, { manifest, files }, target);
    }
    const main = required ? manifest.main : manifest.module ?? manifest.main;
    return this.#file(name, version, { manifest, files }, entry === "" ? main ?? "index.js" : entry.slice(1));
  }

  #try<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch {
      return undefined;
    }
  }

  /** The file that Node.js would find for a path inside a package. */
  #file(name: string, version: string, own: Package, path: string): Found {
    // A path of a package is one of files, in which `lib//x.js` and `lib/x.js` are the same, unlike in a URL.
    const clean = new URL(path.replace(/^\/+/, "").replace(/\/{2,}/g, "/"), "file:///").pathname.slice(1).replace(/\/$/, "");
    const at = decodeURIComponent(clean);
    const folderMain = this.#folderMain(own, at);
    const candidates = [at, at + ".js", at + ".mjs", at + ".cjs", at + ".json", ...folderMain, join(at, "index.js"), join(at, "index.mjs"), join(at, "index.json")];
    const found = candidates.find((candidate) => own.files.has(candidate));
    if (found === undefined) throw new Fault("import_failed", `The package ${name}@${version} has no file ${at}.`);
    const pure = own.manifest.sideEffects === false;
    return { url: urlOf(name, version, found), sideEffects: !pure, transpiled: this.#transpiled(own, found) };
  }

  #transpiled(own: Package, path: string): boolean {
    if (!/\.c?js$/.test(path) || this.#isModule(own, path)) return false;
    const text = new TextDecoder().decode(own.files.get(path)!);
    return text.includes("__esModule") && !/^\s*(import|export)\b/m.test(text);
  }

  #folderMain(own: Package, folder: string): string[] {
    const file = folder === "" ? undefined : own.files.get(join(folder, "package.json"));
    const main = file && this.#try(() => JSON.parse(new TextDecoder().decode(file)).main);
    if (typeof main !== "string") return [];
    const path = decodeURIComponent(new URL(main, `file:///${folder}/`).pathname.slice(1));
    return [path, path + ".js", join(path, "index.js")];
  }
}

function urlOf(name: string, version: string, path: string): string {
  return `npm:///${name}@${version}/${path.split("/").map(encodeURIComponent).join("/")}`;
}

function join(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

function keep(integrity: string, made: Package) {
  let bytes = 0;
  for (const content of made.files.values()) bytes += content.length;
  keptBytes += bytes;
  if (keptBytes > KEPT_BYTES) {
    kept.clear();
    keptBytes = bytes;
  }
  kept.set(integrity, made);
}

/** Against subresource integrity as npm writes it; a registry that gives none cannot be checked. */
async function check(body: Uint8Array, integrity: string | undefined, what: string): Promise<void> {
  const strongest = /sha512-([A-Za-z0-9+/=]+)/.exec(integrity ?? "")?.[1];
  if (strongest === undefined) return;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-512", body as BufferSource));
  if (btoa(String.fromCharCode(...digest)) !== strongest) {
    throw new Fault("import_failed", `The package ${what} is not what its registry lists: the checksum differs.`);
  }
}

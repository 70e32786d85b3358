/** `jsr:@scope/name@range/entry` to the address of a module. */
import { maxSatisfying, validRange } from "semver";
import { Fault } from "./fault.ts";
import type { Registry } from "./registry.ts";

interface Package {
  versions: Record<string, { yanked?: boolean }>;
}

interface Version {
  exports: Record<string, string>;
}

const SPECIFIER = /^jsr:\/?(@[a-z0-9-]+\/[a-z0-9-]+)(?:@([^/]+))?(\/.*)?$/;

export class Jsr {
  readonly #versions = new Map<string, Promise<string>>();

  constructor(private readonly registry: Registry) {}

  async resolve(specifier: string): Promise<string> {
    const parts = SPECIFIER.exec(specifier);
    if (parts === null) throw new Fault("import_failed", `"${specifier}" is not of the form jsr:@scope/name@version.`);
    const [, name, range = "*", entry = ""] = parts;
    const base = this.registry.policy.jsr.replace(/\/$/, "");
    const key = `${name}@${range}`;
    if (!this.#versions.has(key)) this.#versions.set(key, this.#version(base, name, range));
    const version = await this.#versions.get(key)!;
    const { exports } = await this.registry.json<Version>(`${base}/${name}/${version}_meta.json`);
    const path = exports?.[entry === "" || entry === "/" ? "." : "." + entry];
    if (typeof path !== "string") {
      throw new Fault("import_failed", `jsr:${name}@${version} has no entry point "${entry || "."}". It has: ${Object.keys(exports ?? {}).join(", ")}.`);
    }
    return new URL(path, `${base}/${name}/${version}/`).href;
  }

  async #version(base: string, name: string, range: string): Promise<string> {
    if (validRange(range) === null) throw new Fault("import_failed", `"${range}" is not a range of versions of jsr:${name}.`);
    const { versions } = await this.registry.json<Package>(`${base}/${name}/meta.json`);
    const live = Object.keys(versions ?? {}).filter((version) => !versions[version].yanked);
    const found = maxSatisfying(live, range);
    if (found === null) throw new Fault("import_failed", `jsr:${name} has no version ${range}.`);
    return found;
  }
}

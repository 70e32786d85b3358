/**
 * What to import instead of an address on the web: the CDNs of packages serve what npm and JSR have, and the modules of
 * deno.land/std moved to JSR. Suggestions for messages; nothing is imported because of them.
 */

/** Hosts whose paths begin with the name of a package of npm, behind the prefix. */
const CDNS = new Map([
  ["esm.sh", ""],
  ["esm.run", ""],
  ["unpkg.com", ""],
  ["cdn.skypack.dev", ""],
  ["cdn.jsdelivr.net", "npm/"],
  ["ga.jspm.io", "npm:"],
  ["jspm.dev", ""],
]);

/** `name@version` and the rest; esm.sh puts a build, such as `v135`, or `*` for external dependencies, before the name. */
const PACKAGE = /^(?:v\d+\/|stable\/)?\*?((?:@[a-z0-9~._-]+\/)?[a-z0-9~_-][a-z0-9~._-]*)(?:@([^/?&]+))?/i;
const STD = /^std(?:@[^/]+)?\/([a-z0-9_]+)\/?(.*)$/;
/** Modules of deno.land/x that are known under a name at npm. */
const THIRD_PARTY = new Map([
  ["zod", "npm:zod"],
  ["hono", "npm:hono"],
  ["oak", "jsr:@oak/oak"],
  ["djwt", "npm:jose"],
  ["postgres", "npm:postgres"],
  ["postgresjs", "npm:postgres"],
  ["openai", "npm:openai"],
  ["stripe", "npm:stripe"],
  ["cors", "npm:cors"],
]);

/** A specifier with the same contents; undefined where none is known. */
export function alternative(url: URL): string | undefined {
  const path = url.pathname.slice(1);
  if (url.host === "deno.land") return ofDenoLand(path);
  if (url.host === "jsr.io" || (url.host === "esm.sh" && path.startsWith("jsr/"))) {
    const jsr = /^(?:jsr\/)?(@[a-z0-9-]+\/[a-z0-9-]+)(?:[@/]([^/]+))?/.exec(path);
    return jsr === null ? undefined : `jsr:${jsr[1]}${jsr[2] === undefined ? "" : `@${jsr[2]}`}`;
  }
  const prefix = CDNS.get(url.host);
  if (prefix === undefined || !path.startsWith(prefix)) return undefined;
  const parts = PACKAGE.exec(path.slice(prefix.length));
  return parts === null ? undefined : `npm:${parts[1]}${parts[2] === undefined ? "" : `@${parts[2]}`}`;
}

function ofDenoLand(path: string): string | undefined {
  const std = STD.exec(path);
  if (std !== null) {
    if (std[1] === "http" && std[2].startsWith("server")) return "the global Deno.serve";
    return `jsr:@std/${std[1].replaceAll("_", "-")}`;
  }
  const name = /^x\/([a-z0-9_]+)/.exec(path)?.[1];
  return name === undefined ? undefined : THIRD_PARTY.get(name);
}

/** A sentence for the end of a message; empty where no alternative is known. */
export function instead(url: URL): string {
  const known = alternative(url);
  return known === undefined ? "" : ` Use ${known} instead.`;
}

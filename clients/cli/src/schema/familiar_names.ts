/** What the platform puts around an expression behind EXECUTE, so that names in it are replaced when it runs. */
const BEFORE = "svc_functions.own_names((";
const BEHIND = ")::pg_catalog.text)";

/**
 * The names that a script uses, for those that the catalog shows. Projects share a database, so the catalog has `proj_…` where a
 * script says `public`; the platform replaces names on the way in, and this class on the way out.
 */
export class FamiliarNames {
  readonly #replacements: readonly [RegExp, string][];

  constructor(schema: string) {
    const real = schema.replace(/[^A-Za-z0-9_]/g, "");
    this.#replacements = [
      [new RegExp(`\\b${real}_owner\\b`, "g"), "postgres"],
      [new RegExp(`\\b${real}_service\\b`, "g"), "service_role"],
      [new RegExp(`\\b${real}_(anon|authenticated|auth|storage|realtime)\\b`, "g"), "$1"],
      [new RegExp(`\\b${real}__([a-z0-9_]+)\\b`, "g"), "$1"],
      [new RegExp(`\\b${real}\\b`, "g"), "public"],
      [/\bsvc_(auth|storage|realtime)\./g, "$1."],
      // What the platform adds to a search path.
      [/, 'svc_views', 'pg_catalog'/g, ""],
      [/'svc_views', 'pg_catalog'/g, "''"],
    ];
  }

  of(text: string): string {
    return this.#replacements.reduce((result, [pattern, name]) => result.replace(pattern, name), withoutCalls(text));
  }
}

function withoutCalls(text: string): string {
  let written = "";
  let copied = 0;
  for (let call = text.indexOf(BEFORE); call >= 0; call = text.indexOf(BEFORE, copied)) {
    const start = call + BEFORE.length;
    const end = endOfArgument(text, start);
    if (end === undefined) {
      break;
    }
    written += text.slice(copied, call) + text.slice(start, end);
    copied = end + BEHIND.length;
  }
  return written + text.slice(copied);
}

/** Where the argument ends that begins there: at the first bracket that it has not opened. */
function endOfArgument(text: string, start: number): number | undefined {
  let depth = 0;
  let quote = "";
  for (let at = start; at < text.length; at++) {
    const c = text.charAt(at);
    if (quote !== "") {
      quote = c === quote ? "" : quote;
    } else if (c === "'" || c === '"') {
      quote = c;
    } else if (c === "(") {
      depth++;
    } else if (c === ")" && depth-- === 0) {
      return text.startsWith(BEHIND, at) ? at : undefined;
    }
  }
  return undefined;
}

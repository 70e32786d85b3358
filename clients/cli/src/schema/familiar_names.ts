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
    return this.#replacements.reduce((result, [pattern, name]) => result.replace(pattern, name), text);
  }
}

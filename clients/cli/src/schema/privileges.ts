import { grouped } from "./order.js";
import type { Setting } from "./snapshot.js";

/** `[grantee, privilege, grantable]` */
type Entry = [grantee: string, privilege: string, grantable: boolean];

export interface GrantRow {
  key: string;
  of: string;
  target: string;
  type?: string;
  column?: string;
  list: Entry[] | null;
}

export interface PrivilegesRow {
  type: string;
  usual: Entry[];
  everywhere: Entry[] | null;
  in_schema: Entry[] | null;
}

/** All that can have rights in a project. */
const CALLERS = ["public", "anon", "authenticated", "service_role"];
const OWNER = "postgres";
const PLURAL: Record<string, string> = { r: "tables", s: "sequences", f: "functions", T: "types" };

const text = (entries: readonly Entry[]): string =>
  [...new Set(entries.map((entry) => entry.join(" ")))].sort().join("\n");

/** What the platform gives a project, which its functions and types have instead of PUBLIC's rights. */
const closed = (entries: readonly Entry[]): Entry[] => entries.filter(([grantee]) => grantee !== "public");

/** What the owner of a new project grants in its schema. */
function first({ type, usual }: PrivilegesRow): Entry[] {
  if (type === "T") return [];
  const privileges = new Set(usual.map(([, privilege]) => privilege));
  return CALLERS.slice(1).flatMap((grantee) => [...privileges].map((privilege): Entry => [grantee, privilege, false]));
}

const everywhere = (row: PrivilegesRow): Entry[] => row.everywhere ?? closed(row.usual);

/**
 * Statements that leave these rights and no others.
 *
 * @param privileges how many there are for the type of object
 */
function statements(
  list: readonly Entry[],
  privileges: number,
  on: string,
  columns: string,
  before: string,
): string {
  const mine = list.filter(([grantee]) => grantee === OWNER);
  const own = columns === "" && mine.length === privileges && mine.every(([, , grantable]) => !grantable);
  const holders = own ? CALLERS : [OWNER, ...CALLERS];
  const lines = [`${before}revoke all${columns} on ${on} from ${holders.join(", ")}`];
  const granted = list.filter(([grantee]) => !own || grantee !== OWNER);
  const rights = [...grouped(granted, ([grantee, , grantable]) => `${grantee} ${grantable}`).values()].map((
    entries,
  ) => ({
    to: entries[0]?.[0] ?? OWNER,
    words: columns === "" && entries.length === privileges
      ? "all"
      : entries.map(([, privilege]) => `${privilege}${columns}`).join(", "),
    behind: entries[0]?.[2] ? " with grant option" : "",
  }));
  for (const same of grouped(rights, ({ words, behind }) => `${words}${behind}`).values()) {
    const [{ words, behind }] = same as [(typeof rights)[number]];
    lines.push(`${before}grant ${words} on ${on} to ${same.map(({ to }) => to).join(", ")}${behind}`);
  }
  return lines.join(";\n");
}

const count = (rows: readonly PrivilegesRow[], type: string): number =>
  new Set(
    rows.find((row) => row.type === type)?.usual.filter(([grantee]) => grantee !== "public").map(([, name]) => name),
  )
    .size;

export function defaultPrivileges(rows: readonly PrivilegesRow[]): Setting[] {
  return rows.map((row) => {
    const on = PLURAL[row.type] ?? "tables";
    const create = statements(
      row.in_schema ?? [],
      count(rows, row.type),
      on,
      "",
      "alter default privileges in schema public ",
    ).replace(`${OWNER}, `, "");
    return {
      key: `default privileges on ${on}`,
      of: "",
      create,
      undo: "",
      usual: text(row.in_schema ?? []) === text(first(row)),
    };
  });
}

/** The rights on each object, and whether they are those that a new one has by default. */
export function grants(rows: readonly GrantRow[], defaults: readonly PrivilegesRow[]): Setting[] {
  return rows.map(({ key, of, target, type, column, list }) => {
    const usual = defaults.find((row) => row.type === type);
    return {
      key: `${key} grants${column === undefined ? "" : " on the column"}`,
      of,
      create: statements(
        list ?? [],
        count(defaults, type ?? ""),
        target,
        column === undefined ? "" : ` (${column})`,
        "",
      ),
      undo: column === undefined ? "" : `revoke all (${column}) on ${target} from ${CALLERS.join(", ")}`,
      // To revoke all on a table takes the rights on its columns as well.
      ...(column === undefined ? {} : { behind: `${target.slice("table ".length)} grants` }),
      usual: column === undefined && usual !== undefined &&
        text(list ?? []) === text([...everywhere(usual), ...(usual.in_schema ?? [])]),
    };
  });
}

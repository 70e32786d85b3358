import type { DataTable } from "./data_script.js";
import { grouped } from "./order.js";
import type { Rows } from "./snapshot.js";
import { comment } from "./statements.js";

interface Reference {
  of_table: string;
  to_table: string;
  name: string;
  deferrable: boolean;
  deferred: boolean;
  part: boolean;
}

interface Pair {
  from: string;
  to: string;
}

/** What surrounds the rows of a project so that they load in any order into an equal schema. */
export interface Loading {
  /** Each behind those that its rows need, as far as they are in no circle. */
  tables: DataTable[];
  sequences: string[];
  /** What the script does not contain, or what may be refused. */
  notes: string[];
  before: string[];
  behind: string[];
}

/** One INSERT stays far below what a call of the SQL endpoint takes. */
const MAX_INSERT = 100_000;

/** @param answers the rows of `DATA_SCRIPT` */
export function readLoading(answers: Rows): Loading {
  const part = <T>(name: string): T[] =>
    answers.filter((answer) => answer["part"] === name).flatMap((answer) => answer["rows"] as T[]);
  const all = part<DataTable>("tables");
  const tables = all.filter(({ columns }) => columns !== null);
  const parents = new Map(part<Pair>("partitions").map(({ from, to }) => [from, to]));
  const references = part<Reference>("references");
  const triggers = part<{ of_table: string; name: string; state: string }>("triggers");
  const { order, circular } = arranged(tables, references, parents);
  const later = references.filter((reference) => !reference.part && circular(reference));
  const alter = ({ of_table, name }: Reference, how: string) =>
    `alter table ${of_table} alter constraint ${name} ${how}`;
  const fixed = later.filter(({ deferrable, deferred }) => !deferrable || !deferred);
  const usual = ({ deferrable }: Reference) => (deferrable ? "deferrable initially immediate" : "not deferrable");
  return {
    tables: order.filter(({ forced }) => !forced),
    sequences: part<{ key: string }>("sequences").map(({ key }) => key),
    notes: [
      ...all.filter(({ forced }) => forced).map(({ key }) =>
        comment(`not in this script: the rows of ${key}, as row security is forced on its owner`)
      ),
      ...all.filter(({ columns }) => columns === null).map(({ key }) =>
        comment(`not in this script: the rows of ${key}, which has no column that is stored`)
      ),
      ...part<{ text: string }>("unchecked").map(({ text }) => comment(text)),
    ],
    before: [
      "begin",
      ...triggers.map(({ of_table, name }) => `alter table only ${of_table} disable trigger ${name}`),
      ...fixed.map((reference) => alter(reference, "deferrable initially deferred")),
      ...(later.length > 0 ? ["set constraints all deferred"] : []),
    ],
    behind: [
      "set constraints all immediate",
      ...fixed.map((reference) => alter(reference, usual(reference))),
      ...triggers.map(({ of_table, name, state }) => `alter table only ${of_table} ${state} trigger ${name}`),
      ...part<{ key: string }>("views").map(({ key }) => `refresh materialized view ${key}`),
      "commit",
    ],
  };
}

/** Referenced tables first. A key that leads back, to its own table too, is circular: its rows are checked at the end. */
function arranged(
  tables: readonly DataTable[],
  references: readonly Reference[],
  parents: ReadonlyMap<string, string>,
): { order: DataTable[]; circular: (reference: Reference) => boolean } {
  const root = (table: string): string => {
    const parent = parents.get(table);
    return parent === undefined ? table : root(parent);
  };
  const needs = grouped(references, ({ of_table }) => root(of_table));
  const at = new Map<string, number>();
  const place = (table: string): void => {
    // A table that is on the way gets its place behind this one.
    if (at.has(table)) return;
    at.set(table, Number.POSITIVE_INFINITY);
    for (const { to_table } of needs.get(table) ?? []) place(root(to_table));
    at.set(table, [...at.values()].filter(Number.isFinite).length);
  };
  for (const { key } of tables) place(root(key));
  const placeOf = (table: string): number => at.get(root(table)) ?? 0;
  return {
    order: [...tables].sort((one, other) => placeOf(one.key) - placeOf(other.key)),
    circular: ({ of_table, to_table }) => placeOf(of_table) <= placeOf(to_table),
  };
}

/** Rows as INSERT statements of a bounded length; a row that is longer has one of its own. */
export function inserts({ key, columns, identity }: DataTable, rows: readonly string[]): string[] {
  const names = columns ?? [];
  const head = `insert into ${key} (${names.join(", ")})${identity ? " overriding system value" : ""} values\n`;
  const statements: string[] = [];
  let [listed, length] = [[] as string[], 0];
  for (const row of rows) {
    if (listed.length > 0 && length + row.length > MAX_INSERT) {
      statements.push(head + listed.join(",\n"));
      [listed, length] = [[], 0];
    }
    listed.push(row);
    length += row.length;
  }
  return listed.length === 0 ? statements : [...statements, head + listed.join(",\n")];
}

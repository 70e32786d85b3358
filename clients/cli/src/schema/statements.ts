import { Graph } from "./order.js";
import type { Column, Item, Setting, Snapshot, Table } from "./snapshot.js";

/** The statements that make the schema in an empty project, in an order in which each finds what it names. */
export function creation(snapshot: Snapshot): string[] {
  return [
    ...snapshot.leftOut.map((text) => comment(`not in this script: ${text}`)),
    ...said(snapshot.defaults),
    ...new Graph([...snapshot.items, ...snapshot.tables.map(tableItem)], snapshot.dependencies).ordered().map((
      { create },
    ) => create),
    ...said(snapshot.settings),
  ];
}

const said = (settings: readonly Setting[]): string[] =>
  settings.filter(({ usual }) => !usual).map(({ create }) => create);

export function tableItem(table: Table): Item {
  return {
    kind: "table",
    key: table.key,
    create: createTable(table),
    drop: `drop table ${table.key}`,
    replace: null,
    form: "",
    addresses: [...table.addresses, ...table.columns.flatMap(({ addresses }) => addresses)],
    needs: [],
  };
}

export function createTable({ key, columns, partitionBy, parents, bound, persistence }: Table): string {
  const lines = columns.filter(({ local }) => local).map((column) => `  ${columnDefinition(column)}`).join(",\n");
  const inherits = parents.length === 0 || bound !== null ? "" : ` inherits (${parents.join(", ")})`;
  return `create ${persistence === "unlogged" ? "unlogged " : ""}table ${key} (\n${lines}\n)${inherits}${
    partitionBy === null ? "" : ` partition by ${partitionBy}`
  }`;
}

/** A partition that has its columns, indexes and constraints from its parent. */
export const createPartition = ({ key, parents, bound, partitionBy, persistence }: Table): string =>
  `create ${persistence === "unlogged" ? "unlogged " : ""}table ${key} partition of ${parents[0]} ${bound}${
    partitionBy === null ? "" : ` partition by ${partitionBy}`
  }`;

export function columnDefinition({ name, type, notNull, expression, identity, counted, generated }: Column): string {
  const made = generated === ""
    ? ""
    : ` generated always as (${expression}) ${generated === "s" ? "stored" : "virtual"}`;
  const options = counted === "" ? "" : ` (${counted})`;
  const sequence = identity === ""
    ? ""
    : ` generated ${identity === "a" ? "always" : "by default"} as identity${options}`;
  const required = notNull === "" || (identity !== "" && notNull === "not null") ? "" : ` ${notNull}`;
  return `${name} ${type}${made}${sequence}${required}`;
}

/**
 * A text as a comment of SQL. Hazard: it has names and labels of the database, in which a line may end: what follows must not
 * be read as a statement.
 */
export const comment = (text: string): string => text.split(/\r\n|[\r\n]/).map((line) => `-- ${line}`).join("\n");

/** Statements as one text; none is an empty one. */
export const joined = (statements: readonly string[]): string =>
  statements.map((statement) => (statement.startsWith("--") ? `${statement}\n` : `${statement};\n`)).join("\n");

/** The whole schema as a script. */
export function script(snapshot: Snapshot): string {
  const statements = creation(snapshot);
  // Bodies in SQL are checked where they are made, and may name a view that comes later.
  return statements.length === 0 ? "" : joined(["set check_function_bodies = off", ...statements]);
}

const FURTHER_SCHEMA = "the schema ";

/** The script that leaves an empty schema; policies on the files and triggers on the users of the project go too. */
export function dropEverything(snapshot: Snapshot): string {
  const elsewhere = ({ key }: Item): boolean => !key.startsWith("public.");
  const of = (...kinds: string[]): Item[] => snapshot.items.filter(({ kind }) => kinds.includes(kind)).reverse();
  // One cascade may take what another statement names.
  const cascade = (items: readonly Item[]): string[] =>
    items.map(({ drop }) => `${drop.replace(" public.", " if exists public.")} cascade`);
  const owned = new Set(of("owner").map(({ key }) => key.slice(0, -" owner".length)));
  return joined([
    ...of("policy", "trigger").filter(elsewhere).map(({ drop }) => drop),
    ...cascade(of("view")),
    ...snapshot.tables.filter(({ parents }) => parents.length === 0).map(({ key }) =>
      `drop table if exists ${key} cascade`
    ),
    ...cascade(of("routine", "aggregate")),
    ...cascade(of("sequence").filter(({ key }) => !owned.has(key))),
    ...cascade(of("type", "enumeration", "collation", "dictionary")),
    ...snapshot.leftOut.filter((text) => text.startsWith(FURTHER_SCHEMA)).map((text) =>
      `drop schema ${text.slice(FURTHER_SCHEMA.length)} cascade`
    ),
  ]);
}

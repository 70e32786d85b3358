import type { Column, Snapshot, Table } from "./snapshot.js";

const created = (items: readonly { create: string }[]): string[] => items.map(({ create }) => create);

/** A default that may call the project's functions, which come after the tables. A generated column has its expression inline. */
const isDefault = ({ expression, generated, identity }: Column): boolean =>
  expression !== null && generated === "" && identity === "";

/** The statements that make the schema in an empty project, in an order in which each finds what it names. */
export function creation(snapshot: Snapshot): string[] {
  const tables = [...snapshot.tables].sort((one, other) =>
    Number(one.partitionOf !== null) - Number(other.partitionOf !== null)
  );
  return [
    ...snapshot.schemas.map((name) => `-- the schema ${name} is not in this script`),
    ...created(snapshot.enumerations),
    ...created(snapshot.types),
    ...created(snapshot.sequences),
    ...tables.map(createTable),
    ...created(snapshot.owners),
    ...created(snapshot.functions),
    ...tables.flatMap(defaults),
    ...created(snapshot.constraints),
    ...created(snapshot.indexes),
    ...created(snapshot.views),
    ...created(snapshot.triggers),
    ...tables.flatMap(rowSecurity),
    ...created(snapshot.policies),
  ];
}

export function createTable({ name, columns, partitionBy, partitionOf }: Table): string {
  if (partitionOf !== null) return `create table public.${name} ${partitionOf}`;
  const lines = columns.map((column) => `  ${columnDefinition(column)}`).join(",\n");
  return `create table public.${name} (\n${lines}\n)${partitionBy === null ? "" : ` partition by ${partitionBy}`}`;
}

export function columnDefinition({ name, type, notNull, expression, identity, generated }: Column): string {
  const made = generated === ""
    ? ""
    : ` generated always as (${expression}) ${generated === "s" ? "stored" : "virtual"}`;
  const counted = identity === "" ? "" : ` generated ${identity === "a" ? "always" : "by default"} as identity`;
  return `${name} ${type}${made}${counted}${notNull && identity === "" ? " not null" : ""}`;
}

const defaults = (table: Table): string[] =>
  table.columns.filter(isDefault).map(({ name, expression }) =>
    `alter table public.${table.name} alter column ${name} set default ${expression}`
  );

export function rowSecurity({ name, rowSecurity: on, forcedRowSecurity: forced }: Table): string[] {
  return [
    ...(on ? [`alter table public.${name} enable row level security`] : []),
    ...(forced ? [`alter table public.${name} force row level security`] : []),
  ];
}

/** Statements as one text; none is an empty one. */
export const joined = (statements: readonly string[]): string =>
  statements.map((statement) => (statement.startsWith("--") ? `${statement}\n` : `${statement};\n`)).join("\n");

/** The whole schema as a script. */
export function script(snapshot: Snapshot): string {
  const statements = creation(snapshot);
  // Bodies in SQL are checked where they are made, and may name a view that comes later.
  return statements.length === 0 ? "" : joined(["set check_function_bodies = off", ...statements]);
}

/** The script that leaves an empty schema; policies on the files and triggers on the users of the project go too. */
export function dropEverything(snapshot: Snapshot): string {
  const elsewhere = (key: string): boolean => !key.startsWith("public.");
  const cascade = (items: readonly { drop: string }[]): string[] => items.map(({ drop }) => `${drop} cascade`);
  return joined([
    ...[...snapshot.policies, ...snapshot.triggers].filter(({ key }) => elsewhere(key)).map(({ drop }) => drop),
    ...cascade([...snapshot.views].reverse()),
    ...snapshot.tables.filter(({ partitionOf }) => partitionOf === null).map(({ name }) =>
      `drop table public.${name} cascade`
    ),
    ...cascade([...snapshot.functions].reverse()),
    ...snapshot.sequences.filter(({ key }) => !snapshot.owners.some((owner) => owner.key === key)).map(({ drop }) =>
      `${drop} cascade`
    ),
    ...cascade([...snapshot.types].reverse()),
    ...cascade(snapshot.enumerations),
    ...snapshot.schemas.map((name) => `drop schema ${name} cascade`),
  ]);
}

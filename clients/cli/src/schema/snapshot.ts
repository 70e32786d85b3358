import type { FamiliarNames } from "./familiar_names.js";

export type Row = Record<string, unknown>;
export type Rows = Row[];

/** An object with the statement that makes it and the one that drops it. The key tells it from others of its kind. */
export interface Item {
  key: string;
  create: string;
  drop: string;
}

export interface Enumeration extends Item {
  labels: string[];
}

export interface Column {
  name: string;
  type: string;
  notNull: boolean;
  /** The expression of a default or of a generated column. */
  expression: string | null;
  /** `a` always, `d` by default, empty for none. */
  identity: string;
  /** `s` stored, `v` virtual, empty for none. */
  generated: string;
}

export interface Table {
  name: string;
  columns: Column[];
  partitionBy: string | null;
  /** `PARTITION OF … FOR VALUES …` */
  partitionOf: string | null;
  rowSecurity: boolean;
  forcedRowSecurity: boolean;
}

/** A schema as the catalog tells it, with the names that scripts use. What it leaves out is listed in docs/cli.md. */
export interface Snapshot {
  schemas: string[];
  enumerations: Enumeration[];
  types: Item[];
  sequences: Item[];
  owners: Item[];
  tables: Table[];
  functions: Item[];
  views: Item[];
  /** Keys and unique constraints before foreign keys. */
  constraints: Item[];
  indexes: Item[];
  triggers: Item[];
  policies: Item[];
}

const text = (row: Row, name: string): string => String(row[name]);
const optional = (row: Row, name: string): string | null => (row[name] === null ? null : String(row[name]));

/** @param parts the rows of each SELECT of `SNAPSHOT_SCRIPT` */
export function readSnapshot(parts: readonly Rows[], names: FamiliarNames): Snapshot {
  const [
    schemas,
    enumerations,
    types,
    sequences,
    tables,
    columns,
    functions,
    views,
    constraints,
    indexes,
    triggers,
    policies,
  ] = parts.map((rows) => rows.map((row) => familiar(row, names))) as [
    Rows,
    Rows,
    Rows,
    Rows,
    Rows,
    Rows,
    Rows,
    Rows,
    Rows,
    Rows,
    Rows,
    Rows,
  ];
  return {
    schemas: schemas.map((row) => text(row, "name")),
    enumerations: enumerations.map(enumeration),
    types: types.map(type),
    sequences: sequences.map(sequence),
    owners: sequences.filter((row) => row["owner"] !== null).map(owner),
    tables: tables.map((row) => table(row, columns.filter((column) => column["oid"] === row["oid"]))),
    functions: functions.filter((row) => row["definition"] !== null || row["kind"] === "a").map(routine),
    views: views.map(view),
    constraints: constraints.map(constraint),
    indexes: indexes.map((row) => ({
      key: text(row, "name"),
      create: text(row, "definition"),
      drop: `drop index public.${text(row, "name")}`,
    })),
    triggers: triggers.map(trigger),
    policies: policies.map(policy),
  };
}

function familiar(row: Row, names: FamiliarNames): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "string" ? names.of(value) : value]),
  );
}

function enumeration(row: Row): Enumeration {
  const labels = row["labels"] as string[];
  const name = text(row, "name");
  return {
    key: name,
    labels,
    create: `create type public.${name} as enum (${labels.join(", ")})`,
    drop: `drop type public.${name}`,
  };
}

function type(row: Row): Item {
  const name = text(row, "name");
  if (row["kind"] === "c") {
    return {
      key: name,
      create: `create type public.${name} as (${text(row, "fields")})`,
      drop: `drop type public.${name}`,
    };
  }
  const preset = row["preset"] === null ? "" : ` default ${text(row, "preset")}`;
  const required = row["required"] ? " not null" : "";
  const checks = row["checks"] === null ? "" : ` ${text(row, "checks")}`;
  const create = `create domain public.${name} as ${text(row, "base")}${preset}${required}${checks}`;
  return { key: name, create, drop: `drop domain public.${name}` };
}

function sequence(row: Row): Item {
  const name = text(row, "name");
  const create = `create sequence public.${name} as ${text(row, "type")} start ${text(row, "start")} increment ${
    text(row, "step")
  } minvalue ${text(row, "low")} maxvalue ${text(row, "high")}${row["cycle"] ? " cycle" : ""}`;
  return { key: name, create, drop: `drop sequence public.${name}` };
}

function owner(row: Row): Item {
  const name = text(row, "name");
  return {
    key: name,
    create: `alter sequence public.${name} owned by public.${text(row, "owner")}`,
    drop: `alter sequence public.${name} owned by none`,
  };
}

function table(row: Row, columns: Rows): Table {
  const bound = optional(row, "bound");
  return {
    name: text(row, "name"),
    partitionBy: optional(row, "key"),
    partitionOf: bound === null ? null : `partition of public.${text(row, "parent")} ${bound}`,
    rowSecurity: row["secured"] === true,
    forcedRowSecurity: row["forced"] === true,
    columns: columns.map((column) => ({
      name: text(column, "name"),
      type: text(column, "type"),
      notNull: column["required"] === true,
      expression: optional(column, "expression"),
      identity: text(column, "identity"),
      generated: text(column, "generated"),
    })),
  };
}

function routine(row: Row): Item {
  const name = text(row, "name");
  const kind = { p: "procedure", a: "aggregate", f: "function" }[text(row, "kind") as "p" | "a" | "f"];
  const create = row["definition"] === null
    ? `-- the aggregate public.${name} is not in this script`
    : text(row, "definition").trimEnd();
  return { key: name, create, drop: `drop ${kind} public.${name}` };
}

function view(row: Row): Item {
  const name = text(row, "name");
  const kind = row["kind"] === "m" ? "materialized view" : "view";
  const options = optional(row, "options");
  const create = `create ${kind} public.${name}${options ? ` with (${options})` : ""} as\n${
    text(row, "definition").replace(/;\s*$/, "")
  }`;
  return { key: name, create, drop: `drop ${kind} public.${name}` };
}

function constraint(row: Row): Item {
  const [name, of] = [text(row, "name"), text(row, "of_table")];
  return {
    key: `${of}.${name}`,
    create: `alter table public.${of} add constraint ${name} ${text(row, "definition")}`,
    drop: `alter table public.${of} drop constraint ${name}`,
  };
}

function trigger(row: Row): Item {
  const of = `${text(row, "of_schema")}.${text(row, "of_table")}`;
  const name = text(row, "name");
  return { key: `${of}.${name}`, create: text(row, "definition"), drop: `drop trigger ${name} on ${of}` };
}

function policy(row: Row): Item {
  const of = `${text(row, "of_schema")}.${text(row, "of_table")}`;
  const name = text(row, "name");
  const using = row["qual"] === null ? "" : ` using (${text(row, "qual")})`;
  const check = row["with_check"] === null ? "" : ` with check (${text(row, "with_check")})`;
  const create = `create policy ${name} on ${of} as ${text(row, "permissive").toLowerCase()} for ${
    text(row, "cmd").toLowerCase()
  } to ${text(row, "roles")}${using}${check}`;
  return { key: `${of}.${name}`, create, drop: `drop policy ${name} on ${of}` };
}

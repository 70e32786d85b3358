import type { FamiliarNames } from "./familiar_names.js";
import { grouped } from "./order.js";
import { defaultPrivileges, type GrantRow, grants, type PrivilegesRow } from "./privileges.js";

export type Row = Record<string, unknown>;
export type Rows = Row[];

/** The kinds of objects, in the order in which a script makes those that do not need each other. */
export const KINDS = [
  "collation",
  "dictionary",
  "enumeration",
  "type",
  "domain default",
  "domain constraint",
  "sequence",
  "table",
  "column",
  "attachment",
  "owner",
  "routine",
  "aggregate",
  "default",
  "constraint",
  "index",
  "index part",
  "view",
  "foreign key",
  "statistics",
  "trigger",
  "policy",
] as const;

export type Kind = (typeof KINDS)[number];

/** An object with the statement that makes it and the one that drops it. The key tells it from others of its kind. */
export interface Item {
  kind: Kind;
  key: string;
  create: string;
  drop: string;
  /** Changes an object of this form into this one, where PostgreSQL can. */
  replace: string | null;
  /** Objects of different forms are not replaced but made again. */
  form: string;
  /** What it is called as a dependency: `catalog:oid`, of a column `catalog:oid:number`. */
  addresses: string[];
  needs: string[];
  /** Of an enumeration. */
  labels?: string[];
  /** Goes with the object of this key, and is never dropped alone: the index of a partition. */
  partOf?: string;
  /** Of a default, for a column that is added to rows. */
  expression?: string;
}

export interface Column {
  name: string;
  addresses: string[];
  type: string;
  /** Nothing, `not null`, or `constraint … not null`. */
  notNull: string;
  /** What the server calls that constraint, if it is one. */
  notNullName: string | null;
  /** The expression of a generated column. */
  expression: string | null;
  /** `a` always, `d` by default, empty for none. */
  identity: string;
  /** The options of its sequence, if they are not the usual ones. */
  counted: string;
  /** `s` stored, `v` virtual, empty for none. */
  generated: string;
  /** Whether it is the table's own, and not only inherited. */
  local: boolean;
}

export interface Table {
  key: string;
  addresses: string[];
  columns: Column[];
  partitionBy: string | null;
  /** `for values …` */
  bound: string | null;
  parents: string[];
  persistence: string;
}

/** What is said of an object; unless it is, the object has the usual value, which `undo` gives it back. */
export interface Setting {
  key: string;
  /** The key of the object; empty for one of the schema. */
  of: string;
  create: string;
  undo: string;
  /** A new object has this value anyway: a difference compares it, a script leaves it out. */
  usual?: boolean;
  /** The key of a setting that takes this one along when it changes. */
  behind?: string;
  /** Another value is added to this one, which has to be undone first. */
  additive?: boolean;
}

/** A schema as the catalog tells it, with the names that scripts use. */
export interface Snapshot {
  /** What privileges new objects have. */
  defaults: Setting[];
  items: Item[];
  tables: Table[];
  settings: Setting[];
  /** Pairs of addresses: the first needs the second. */
  dependencies: [string, string][];
  /** What a script of this schema does not contain. */
  leftOut: string[];
}

interface TableRow {
  oid: string;
  key: string;
  partitioned: boolean;
  partition: boolean;
  addresses: string[];
  persistence: string;
  partition_key: string | null;
  bound: string | null;
  parents: string[] | null;
}

interface ColumnRow {
  oid: string;
  name: string;
  address: string;
  further: string[];
  type: string;
  required: boolean;
  local: boolean;
  rule: { name: string; usual: boolean; local: boolean; valid: boolean; alone: boolean } | null;
  expression: string | null;
  identity: string;
  generated: string;
  counted: string | null;
  usual: boolean | null;
}

type ItemRow = Partial<Item> & Pick<Item, "kind" | "key" | "create" | "drop" | "addresses"> & {
  part_of?: string | null;
  owner?: string | null;
};

/** @param answers the rows of `SNAPSHOT_SCRIPT` */
export function readSnapshot(answers: Rows, names: FamiliarNames): Snapshot {
  const rows = <T>(part: string): T[] =>
    answers.filter((answer) => answer["part"] === part).flatMap((answer) => familiar(answer["rows"], names) as T[]);
  const items = rows<ItemRow>("items");
  const columns = grouped(rows<ColumnRow>("columns"), ({ oid }) => oid);
  const tables = rows<TableRow>("tables").map((row) => table(row, columns.get(row.oid) ?? []));
  const privileges = rows<PrivilegesRow>("defaults");
  return {
    defaults: defaultPrivileges(privileges),
    items: [...items.map(item), ...items.flatMap(owner), ...tables.flatMap(attachment)],
    tables,
    settings: [...rows<Setting>("settings"), ...grants(rows<GrantRow>("grants"), privileges)],
    dependencies: rows<{ from: string; to: string }>("dependencies").map(({ from, to }) => [from, to]),
    leftOut: rows<{ text: string }>("left").map(({ text }) => text),
  };
}

function familiar(value: unknown, names: FamiliarNames): unknown {
  if (typeof value === "string") return names.of(value);
  if (Array.isArray(value)) return value.map((part) => familiar(part, names));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, familiar(part, names)]));
}

function item(row: ItemRow): Item {
  return {
    kind: row.kind,
    key: row.key,
    create: row.create,
    drop: row.drop,
    replace: row.replace ?? null,
    form: row.form ?? "",
    addresses: row.addresses,
    needs: row.needs ?? [],
    ...(row.labels ? { labels: row.labels } : {}),
    ...(row.part_of ? { partOf: row.part_of } : {}),
    ...(row.expression ? { expression: row.expression } : {}),
  };
}

/** The sequence goes with the column that owns it. */
function owner({ kind, key, addresses, owner: column }: ItemRow): Item[] {
  if (kind !== "sequence" || !column) return [];
  const create = `alter sequence ${key} owned by ${column}`;
  return [{
    kind: "owner",
    key: `${key} owner`,
    create,
    drop: `alter sequence ${key} owned by none`,
    replace: create,
    form: "",
    addresses: [],
    needs: addresses,
  }];
}

function attachment({ key, addresses, bound, parents }: Table): Item[] {
  if (bound === null) return [];
  return [{
    kind: "attachment",
    key: `${key} attachment`,
    create: `alter table only ${parents[0]} attach partition ${key} ${bound}`,
    drop: `alter table ${parents[0]} detach partition ${key}`,
    replace: null,
    form: "",
    addresses: [],
    needs: addresses,
  }];
}

function table(row: TableRow, columns: ColumnRow[]): Table {
  return {
    key: row.key,
    addresses: row.addresses,
    columns: columns.map((column) => columnOf(column, row.partition)),
    partitionBy: row.partition_key,
    bound: row.bound,
    parents: row.parents ?? [],
    persistence: row.persistence,
  };
}

function columnOf(row: ColumnRow, ofPartition: boolean): Column {
  const own = row.identity !== "" && !ofPartition;
  return {
    name: row.name,
    addresses: [row.address, ...row.further],
    type: row.type,
    notNull: notNull(row, ofPartition),
    notNullName: row.rule?.name ?? null,
    expression: row.expression,
    identity: own ? row.identity : "",
    counted: own && row.usual === false ? row.counted ?? "" : "",
    generated: row.generated,
    local: ofPartition || row.local,
  };
}

/** One that is not validated comes behind the table, with its other constraints. */
function notNull({ required, rule }: ColumnRow, ofPartition: boolean): string {
  if (!required) return "";
  if (rule === null) return "not null";
  if (!rule.valid || !(rule.local || ofPartition)) return "";
  return `${rule.usual ? "" : `constraint ${rule.name} `}not null${rule.alone ? " no inherit" : ""}`;
}

import type { Column, Enumeration, Item, Snapshot, Table } from "./snapshot.js";
import { columnDefinition, createTable, joined, rowSecurity } from "./statements.js";

interface Change<T> {
  added: T[];
  removed: T[];
  changed: [before: T, after: T][];
}

function compare<T>(
  before: readonly T[],
  after: readonly T[],
  key: (item: T) => string,
  same: (one: T, other: T) => boolean,
): Change<T> {
  const old = new Map(before.map((item) => [key(item), item]));
  const kept = new Set(after.map(key));
  return {
    added: after.filter((item) => !old.has(key(item))),
    removed: before.filter((item) => !kept.has(key(item))),
    changed: after.flatMap((item): [T, T][] => {
      const previous = old.get(key(item));
      return previous === undefined || same(previous, item) ? [] : [[previous, item]];
    }),
  };
}

const compareItems = <T extends Item>(before: readonly T[], after: readonly T[]): Change<T> =>
  compare(before, after, ({ key }) => key, (one, other) => one.create === other.create);

/** Drops what has gone and what has another form; makes what is new and the other form. */
function replacement(change: Change<Item>): { drops: string[]; creates: string[] } {
  return {
    drops: [...change.removed, ...change.changed.map(([before]) => before)].map(({ drop }) => drop),
    creates: [...change.added, ...change.changed.map(([, after]) => after)].map(({ create }) => create),
  };
}

/** The script that leads from one schema to the other; empty if they are equal. */
export function diff(before: Snapshot, after: Snapshot): string {
  const part = (
    name: "types" | "sequences" | "owners" | "views" | "constraints" | "indexes" | "triggers" | "policies",
  ) => replacement(compareItems(before[name], after[name]));
  const [types, sequences, owners, views] = [part("types"), part("sequences"), part("owners"), part("views")];
  const [constraints, indexes, triggers, policies] = [
    part("constraints"),
    part("indexes"),
    part("triggers"),
    part("policies"),
  ];
  const functions = compareItems(before.functions, after.functions);
  const tables = compare(
    before.tables,
    after.tables,
    ({ name }) => name,
    (one, other) => JSON.stringify(one) === JSON.stringify(other),
  );
  const gone = new Set(tables.removed.map(({ name }) => name));
  // A dropped table takes these with it.
  const remaining = (drops: readonly string[]): string[] =>
    drops.filter((drop) =>
      ![...gone].some((name) => drop.includes(` public.${name} drop `) || drop.endsWith(` on public.${name}`))
    );
  const enumerations = compare(
    before.enumerations,
    after.enumerations,
    ({ key }) => key,
    (one, other) => one.create === other.create,
  );
  const differs = tables.changed.map(([one, other]) => tableChange(one, other));
  return joined([
    ...remaining(policies.drops),
    ...remaining(triggers.drops),
    ...views.drops.toReversed(),
    ...remaining(constraints.drops.toReversed()),
    ...indexes.drops,
    ...tables.removed.map(({ name }) => `drop table public.${name}`),
    ...functions.removed.map(({ drop }) => drop),
    ...sequences.drops.filter((drop) => !owned(before, drop)),
    ...types.drops.toReversed(),
    ...enumerations.removed.map(({ drop }) => drop),
    ...enumerations.added.map(({ create }) => create),
    ...enumerations.changed.flatMap(([one, other]) => labels(one, other)),
    ...types.creates,
    ...sequences.creates,
    ...tables.added.map(createTable),
    ...differs.flatMap(({ columns }) => columns),
    ...owners.creates,
    ...[...functions.added, ...functions.changed.map(([, item]) => item)].map(({ create }) => create),
    ...tables.added.flatMap((table) => table.columns.flatMap((column) => newDefault(table, column))),
    ...differs.flatMap(({ settings }) => settings),
    ...constraints.creates,
    ...indexes.creates,
    ...views.creates,
    ...triggers.creates,
    ...tables.added.flatMap(rowSecurity),
    ...policies.creates,
  ]);
}

/** A sequence that belongs to a column goes with it. */
const owned = (snapshot: Snapshot, drop: string): boolean =>
  snapshot.owners.some(({ key }) => drop === `drop sequence public.${key}`);

function labels(before: Enumeration, after: Enumeration): string[] {
  const kept = after.labels.filter((label) => before.labels.includes(label));
  if (kept.length !== before.labels.length || kept.some((label, at) => label !== before.labels[at])) {
    return [`-- the labels of public.${after.key} were removed or reordered, which takes a new type: ${after.create}`];
  }
  return after.labels.flatMap((label, at) => {
    if (before.labels.includes(label)) return [];
    const place = at === 0
      ? `before ${after.labels.find((other) => before.labels.includes(other))}`
      : `after ${after.labels[at - 1]}`;
    return [`alter type public.${after.key} add value ${label} ${place}`];
  });
}

const newDefault = (table: Table, { name, expression, generated, identity }: Column): string[] =>
  expression === null || generated !== "" || identity !== ""
    ? []
    : [`alter table public.${table.name} alter column ${name} set default ${expression}`];

/** Columns come before functions, which may name them; defaults and row security come after. */
function tableChange(before: Table, after: Table): { columns: string[]; settings: string[] } {
  const alter = `alter table public.${after.name}`;
  if (before.partitionBy !== after.partitionBy || before.partitionOf !== after.partitionOf) {
    return {
      columns: [`-- public.${after.name} is partitioned in another way, which takes a new table`],
      settings: [],
    };
  }
  const change = compare(
    before.columns,
    after.columns,
    ({ name }) => name,
    (one, other) => JSON.stringify(one) === JSON.stringify(other),
  );
  const columns = [
    ...change.removed.map(({ name }) => `${alter} drop column ${name}`),
    ...change.added.map((column) => `${alter} add column ${columnDefinition(column)}${inlineDefault(column)}`),
  ];
  const settings = [];
  for (const [one, other] of change.changed) {
    if (one.generated !== other.generated || (other.generated !== "" && one.expression !== other.expression)) {
      columns.push(`${alter} drop column ${other.name}`, `${alter} add column ${columnDefinition(other)}`);
      continue;
    }
    const column = `${alter} alter column ${other.name}`;
    if (one.type !== other.type) columns.push(`${column} type ${other.type} using ${other.name}::${other.type}`);
    if (one.identity !== other.identity) settings.push(...identity(column, one, other));
    if (one.expression !== other.expression) {
      settings.push(other.expression === null ? `${column} drop default` : `${column} set default ${other.expression}`);
    }
    if (one.notNull !== other.notNull) settings.push(`${column} ${other.notNull ? "set" : "drop"} not null`);
  }
  if (before.rowSecurity !== after.rowSecurity) {
    settings.push(`${alter} ${after.rowSecurity ? "enable" : "disable"} row level security`);
  }
  if (before.forcedRowSecurity !== after.forcedRowSecurity) {
    settings.push(`${alter} ${after.forcedRowSecurity ? "force" : "no force"} row level security`);
  }
  return { columns, settings };
}

/** A column that is added to rows needs its default at once. */
const inlineDefault = ({ expression, generated, identity }: Column): string =>
  expression === null || generated !== "" || identity !== "" ? "" : ` default ${expression}`;

function identity(column: string, before: Column, after: Column): string[] {
  if (after.identity === "") return [`${column} drop identity`];
  const kind = after.identity === "a" ? "always" : "by default";
  return [before.identity === "" ? `${column} add generated ${kind} as identity` : `${column} set generated ${kind}`];
}

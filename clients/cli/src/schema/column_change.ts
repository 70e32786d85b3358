import type { Column, Item, Table } from "./snapshot.js";
import { columnDefinition, comment } from "./statements.js";

/** A column as an item of its own. One that is added to rows needs its default at once, and what the default needs. */
export function columnItem(table: Table, column: Column, preset: Item | undefined): Item {
  const expression = preset?.expression === undefined ? "" : ` default ${preset.expression}`;
  return {
    kind: "column",
    key: `${table.key}.${column.name}`,
    create: `alter table ${table.key} add column ${columnDefinition(column)}${expression}`,
    drop: `alter table ${table.key} drop column ${column.name}`,
    replace: null,
    form: "",
    addresses: column.addresses,
    needs: [...table.addresses, ...(preset?.needs ?? [])],
  };
}

/** The table's place among others; how it is partitioned cannot be changed. */
export function inheritance(before: Table, after: Table): string[] {
  if (before.partitionBy !== after.partitionBy) {
    return [comment(`${after.key} is partitioned in another way, which takes a new table`)];
  }
  if (before.bound !== null || after.bound !== null || before.parents.join() === after.parents.join()) return [];
  // Its constraints become its own or its parents', and only then can be compared.
  const steps = [
    ...before.parents.filter((parent) => !after.parents.includes(parent)).map((parent) => `no inherit ${parent}`),
    ...after.parents.filter((parent) => !before.parents.includes(parent)).map((parent) => `inherit ${parent}`),
  ];
  return steps.map((step) => comment(`first alter table ${after.key} ${step}, and compare again`));
}

/** Before anything is made, as its sequence may have the name of one that is. */
export function lostIdentity(table: string, before: Column, after: Column): string[] {
  return before.identity !== "" && after.identity === ""
    ? [`alter table ${table} alter column ${after.name} drop identity`]
    : [];
}

/** What leads from one column to another of that name; that of a generated one is made again elsewhere. */
export function columnChange(table: string, before: Column, after: Column): string[] {
  const column = `alter table ${table} alter column ${after.name}`;
  const retyped = before.type === after.type
    ? []
    : [`${column} type ${after.type} using ${after.name}::${plain(after.type)}`];
  return [...retyped, ...identity(column, before, after), ...required(table, column, before, after)];
}

/** A type without its collation, which a cast does not take. */
const plain = (type: string): string => type.split(" collate ")[0] ?? type;

function required(table: string, column: string, before: Column, after: Column): string[] {
  if (before.notNull === after.notNull) return [];
  const drop = before.notNull === "" ? [] : [`${column} drop not null`];
  if (after.notNull === "") return drop;
  if (after.notNullName === null) return [...drop, `${column} set not null`];
  const behind = after.notNull.endsWith(" no inherit") ? " no inherit" : "";
  return [...drop, `alter table ${table} add constraint ${after.notNullName} not null ${after.name}${behind}`];
}

function identity(column: string, before: Column, after: Column): string[] {
  if (before.identity === after.identity && before.counted === after.counted) return [];
  if (after.identity === "") return [];
  const kind = after.identity === "a" ? "always" : "by default";
  if (before.identity === "") {
    const options = after.counted === "" ? "" : ` (${after.counted})`;
    return [`${column} add generated ${kind} as identity${options}`];
  }
  const set = sequenceOptions(after.counted).map((option) => ` set ${option}`).join("");
  return [`${column} set generated ${kind}${set}`];
}

/** The options as ALTER takes them; those of a usual sequence are named, as another may be in force. */
function sequenceOptions(counted: string): string[] {
  if (counted === "") return ["start with 1", "increment by 1", "no minvalue", "no maxvalue", "cache 1", "no cycle"];
  return /start with .*$/.exec(counted)?.[0].split(/ (?=increment|minvalue|maxvalue|cache|cycle|no cycle)/) ?? [];
}

import { columnChange, columnItem, inheritance, lostIdentity } from "./column_change.js";
import { Graph, grouped } from "./order.js";
import type { Column, Item, Setting, Snapshot, Table } from "./snapshot.js";
import { comment, createPartition, joined, tableItem } from "./statements.js";

const nameOf = ({ kind, key }: Item): string => `${kind} ${key}`;

/** Kinds of which others may be made while theirs are still in use, so that they go last. */
const LAST = new Set(["type", "enumeration", "collation", "dictionary"]);

/** Kinds that a column may be made of; they cannot be made again under it. */
const USED = new Set(["type", "collation"]);

/** One of both schemas; columns of the tables that both have are items of their own. */
class Side {
  readonly items: Item[];
  readonly graph: Graph;
  readonly named: Map<string, Item>;
  readonly keys: ReadonlySet<string>;
  readonly columns = new Map<string, Column>();
  readonly tables: Map<string, Table>;

  constructor(readonly snapshot: Snapshot, shared: ReadonlySet<string>) {
    const needs = grouped(snapshot.dependencies, ([from]) => from);
    const defaults = new Map(
      snapshot.items.filter(({ kind }) => kind === "default").map((item) => [item.key, {
        ...item,
        needs: item.addresses.flatMap((address) => needs.get(address) ?? []).map(([, to]) => to),
      }]),
    );
    this.tables = new Map(snapshot.tables.map((table) => [table.key, table]));
    this.items = [
      ...snapshot.items,
      ...snapshot.tables.flatMap((table) => {
        // A table that only one schema has comes and goes with its columns.
        if (!shared.has(table.key)) return [tableItem(table)];
        return [
          { ...tableItem(table), addresses: table.addresses },
          ...table.columns.map((column) => {
            const item = columnItem(table, column, defaults.get(`${table.key}.${column.name} default`));
            this.columns.set(nameOf(item), column);
            return item;
          }),
        ];
      }),
    ];
    this.graph = new Graph(this.items, snapshot.dependencies);
    this.keys = new Set([
      ...this.items.map(({ key }) => key),
      ...snapshot.tables.flatMap(({ key, columns }) => columns.map(({ name }) => `${key}.${name}`)),
    ]);
    this.named = new Map(this.items.map((item) => [nameOf(item), item]));
  }

  /** Whether PostgreSQL lets it be dropped and made again without rows being lost. */
  again(item: Item): boolean {
    return item.kind !== "table" && (item.kind !== "column" || this.columns.get(nameOf(item))?.generated !== "");
  }
}

/** The script that leads from one schema to the other; empty if they are equal. */
export function diff(before: Snapshot, after: Snapshot): string {
  const old = new Set(before.tables.map(({ key }) => key));
  const shared = new Set(after.tables.map(({ key }) => key).filter((key) => old.has(key)));
  return new Difference(new Side(before, shared), new Side(after, shared)).script();
}

class Difference {
  readonly #notes: string[] = [];
  /** Of `before`: what goes, for good or to be made again. */
  readonly #dropped: Set<Item>;
  /** Of `after`: what is made. */
  readonly #made: Set<Item>;

  constructor(private readonly before: Side, private readonly after: Side) {
    const { named } = after;
    const removed = before.items.filter((item) => !named.has(nameOf(item)));
    const other = before.items.filter((item) => this.#isOther(item));
    const retyped = before.items.filter((item) => this.#isRetyped(item));
    const again = (item: Item) => before.again(item);
    this.#dropped = before.graph.withDependents([...removed, ...other, ...retyped], again);
    for (const item of retyped) this.#dropped.delete(item);
    const gone = new Set([...this.#dropped].map(nameOf));
    this.#made = new Set(after.items.filter((item) => !before.named.has(nameOf(item)) || gone.has(nameOf(item))));
  }

  script(): string {
    const drops = this.before.graph.ordered().reverse().filter((item) =>
      this.#dropped.has(item) && !this.#goesAlong(item)
    );
    const last = drops.filter((item) => LAST.has(item.kind) && !this.after.named.has(nameOf(item)));
    const order = this.after.graph.ordered();
    return joined([
      ...this.#settings(this.before.snapshot.defaults, this.after.snapshot.defaults),
      ...drops.filter((item) => !last.includes(item)).map(({ drop }) => drop),
      ...order.flatMap((item) => this.#columnChange(item, lostIdentity)),
      ...order.flatMap((item) => this.#made.has(item) ? this.#creation(item) : this.#change(item)),
      ...last.map(({ drop }) => drop),
      ...this.#settings(this.before.snapshot.settings, this.after.snapshot.settings),
      ...this.#notes,
    ].filter((statement) => statement !== ""));
  }

  #isOther(item: Item): boolean {
    const other = this.after.named.get(nameOf(item));
    if (other === undefined || item.kind === "table" || item.kind === "enumeration") return false;
    if (item.kind === "column") {
      const [one, two] = [this.before.columns.get(nameOf(item)), this.after.columns.get(nameOf(other))];
      return one?.generated !== two?.generated || (one?.generated !== "" && one?.expression !== two?.expression);
    }
    if (item.create === other.create || (other.replace !== null && item.form === other.form)) {
      return item.create !== other.create && item.partOf !== undefined;
    }
    const users = USED.has(item.kind) ? this.#usersOf(item) : [];
    if (users.length > 0) {
      this.#notes.push(
        comment(`${item.key} differs, and ${users.join(", ")} use it, which takes a new type: ${other.create}`),
      );
    }
    return users.length === 0;
  }

  /** Columns that would have to be dropped with it. */
  #usersOf(item: Item): string[] {
    return this.before.items.filter((user) =>
      user.kind === "column" && !this.before.again(user) && this.before.graph.needs(user).has(item) &&
      this.after.named.has(nameOf(user))
    ).map(({ key }) => key);
  }

  #isRetyped(item: Item): boolean {
    const [one, two] = [this.before.columns.get(nameOf(item)), this.after.columns.get(nameOf(item))];
    return one !== undefined && two !== undefined && one.type !== two.type && !this.#isOther(item);
  }

  /** With its table, its type or the index that it is a part of. */
  #goesAlong(item: Item): boolean {
    if (item.drop === "" || item.partOf !== undefined) return true;
    // A partition that a foreign key refers to is dropped only when it is detached.
    if (item.kind === "table" || item.kind === "attachment") return false;
    const gone = [...this.before.graph.needs(item)].filter((needed) => this.#dropped.has(needed));
    const owners = gone.filter(({ kind, addresses }) =>
      (kind === "table" || kind === "type") && addresses.some((address) => item.needs.includes(address))
    );
    // What it needs besides may have to go before its owner.
    return owners.length > 0 && owners.length === gone.length;
  }

  /** A column that is added to a table brings its default along, a partition what its parent's have. */
  #creation(item: Item): string[] {
    if (this.#comesAlong(item)) return [];
    const partition = item.kind === "table" ? this.#newPartition(item) : undefined;
    if (partition !== undefined) return [createPartition(partition)];
    const column = item.kind === "default"
      ? this.after.named.get(`column ${item.key.slice(0, -" default".length)}`)
      : undefined;
    return column !== undefined && this.#made.has(column) ? [] : [item.create];
  }

  /** The table, if it is a new partition of a table that both schemas have. */
  #newPartition(item: Item): Table | undefined {
    const table = this.after.tables.get(item.key);
    const parent = table === undefined || table.bound === null ? undefined : table.parents[0];
    return parent !== undefined && this.before.tables.has(parent) && !this.before.tables.has(item.key)
      ? table
      : undefined;
  }

  /** Of a new partition: its place, and what it has of its parent's that was there before. */
  #comesAlong(item: Item): boolean {
    const needed = [...this.after.graph.needs(item)];
    if (item.kind === "index part") {
      return needed.some((index) => index.partOf !== undefined && this.#comesAlong(index));
    }
    if (item.kind !== "attachment") {
      const whole = item.partOf === undefined ? undefined : this.after.named.get(`${item.kind} ${item.partOf}`);
      if (whole === undefined || this.#made.has(whole)) return false;
    }
    return needed.some((table) =>
      table.kind === "table" && this.#newPartition(table) !== undefined &&
      table.addresses.some((address) => item.needs.includes(address))
    );
  }

  #tableOf(column: Item): Item {
    return [...this.after.graph.needs(column)].find(({ kind, addresses }) =>
      kind === "table" && addresses.some((address) => column.needs.includes(address))
    ) ?? column;
  }

  #change(item: Item): string[] {
    const previous = this.before.named.get(nameOf(item));
    if (previous === undefined) return [];
    if (item.kind === "table") {
      const [one, two] = [this.before.tables.get(item.key), this.after.tables.get(item.key)];
      return one === undefined || two === undefined ? [] : inheritance(one, two);
    }
    if (item.kind === "column") return this.#columnChange(item, columnChange);
    if (previous.create === item.create) return [];
    if (item.kind === "enumeration") return labels(previous, item);
    return item.replace !== null && previous.form === item.form ? [item.replace] : [];
  }

  #columnChange(item: Item, change: typeof columnChange): string[] {
    const [one, two] = [this.before.columns.get(nameOf(item)), this.after.columns.get(nameOf(item))];
    return one === undefined || two === undefined || this.#made.has(item)
      ? []
      : change(this.#tableOf(item).key, one, two);
  }

  #settings(before: readonly Setting[], after: readonly Setting[]): string[] {
    const [old, kept] = [new Map(before.map((one) => [one.key, one])), new Set(after.map(({ key }) => key))];
    const made = new Set([...this.#made].map(({ key }) => key));
    const isNew = (of: string): boolean => of !== "" && (made.has(of) || !this.before.keys.has(of));
    const remains = (of: string): boolean => of === "" || this.after.keys.has(of);
    const said = new Set<string>();
    return [
      ...before.filter(({ key, of }) => !kept.has(key) && remains(of) && !isNew(of)).map(({ undo }) => undo),
      ...after.flatMap((setting) => {
        const previous = old.get(setting.key);
        if (isNew(setting.of)) {
          if (setting.usual) return [];
        } else if (previous?.create === setting.create && !said.has(setting.behind ?? "")) {
          return [];
        }
        said.add(setting.key);
        return [previous !== undefined && setting.additive && !isNew(setting.of) ? previous.undo : "", setting.create];
      }),
    ];
  }
}

function labels(before: Item, after: Item): string[] {
  const [old, all] = [before.labels ?? [], after.labels ?? []];
  const kept = all.filter((label) => old.includes(label));
  if (kept.length !== old.length || kept.some((label, at) => label !== old[at])) {
    return [comment(`the labels of ${after.key} were removed or reordered, which takes a new type: ${after.create}`)];
  }
  return all.flatMap((label, at) => {
    if (old.includes(label)) return [];
    const next = all.find((other) => old.includes(other));
    const place = at > 0 ? ` after ${all[at - 1]}` : next === undefined ? "" : ` before ${next}`;
    return [`alter type ${after.key} add value ${label}${place}`];
  });
}

import { type Item, KINDS } from "./snapshot.js";

/** Items under their key, in their order. */
export function grouped<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** What needs what in a schema, between items. */
export class Graph {
  readonly #at = new Map<string, Item>();
  readonly #needs = new Map<Item, Set<Item>>();

  constructor(readonly items: readonly Item[], dependencies: readonly [string, string][]) {
    for (const item of items) {
      this.#needs.set(item, new Set());
      for (const address of item.addresses) this.#at.set(address, item);
    }
    for (const item of items) for (const address of item.needs) this.#connect(item, this.#find(address));
    for (const [from, to] of dependencies) this.#connect(this.#find(from), this.#find(to));
  }

  /** A column that is no item of its own belongs to its table. */
  #find(address: string): Item | undefined {
    return this.#at.get(address) ?? this.#at.get(address.split(":").slice(0, 2).join(":"));
  }

  #connect(from: Item | undefined, to: Item | undefined): void {
    if (from !== undefined && to !== undefined && from !== to) this.#needs.get(from)?.add(to);
  }

  needs(item: Item): ReadonlySet<Item> {
    return this.#needs.get(item) ?? new Set();
  }

  /** These and all that needs one of them, as far as it can be made again. */
  withDependents(first: Iterable<Item>, again: (item: Item) => boolean): Set<Item> {
    const found = new Set(first);
    for (let before = -1; before !== found.size;) {
      before = found.size;
      for (const item of this.items) {
        if (!found.has(item) && again(item) && [...this.needs(item)].some((needed) => found.has(needed))) {
          found.add(item);
        }
      }
    }
    return found;
  }

  /**
   * All items, each behind those that it needs; among those that may come next, by kind and as they are listed. Of a circle,
   * which PostgreSQL makes only by replacing views, the first comes first.
   */
  ordered(): Item[] {
    const rank = new Map(KINDS.map((kind, at) => [kind as string, at]));
    const waiting = [...this.items].sort((one, other) => (rank.get(one.kind) ?? 0) - (rank.get(other.kind) ?? 0));
    const done = new Set<Item>();
    const result: Item[] = [];
    while (waiting.length > 0) {
      const next = waiting.findIndex((item) => [...this.needs(item)].every((needed) => done.has(needed)));
      const [item] = waiting.splice(Math.max(next, 0), 1) as [Item];
      done.add(item);
      result.push(item);
    }
    return result;
  }
}

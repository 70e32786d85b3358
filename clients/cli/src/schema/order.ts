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

  /** What needs an item itself. */
  #dependents(): Map<Item, Item[]> {
    const found = new Map<Item, Item[]>(this.items.map((item) => [item, []]));
    for (const item of this.items) for (const needed of this.needs(item)) found.get(needed)?.push(item);
    return found;
  }

  /** These and all that needs one of them, as far as it can be made again. */
  withDependents(first: Iterable<Item>, again: (item: Item) => boolean): Set<Item> {
    const found = new Set(first);
    const dependents = this.#dependents();
    for (const item of found) {
      // A set is read to its end, with what is added meanwhile.
      for (const dependent of dependents.get(item) ?? []) if (again(dependent)) found.add(dependent);
    }
    return found;
  }

  /**
   * All items, n log n in them, each behind those that it needs; among those that may come next, by kind and as they are listed. Of a circle,
   * which PostgreSQL makes only by replacing views, the first comes first.
   */
  ordered(): Item[] {
    const rank = new Map(KINDS.map((kind, at) => [kind as string, at]));
    const listed = [...this.items].sort((one, other) => (rank.get(one.kind) ?? 0) - (rank.get(other.kind) ?? 0));
    const place = new Map(listed.map((item, at) => [item, at]));
    const missing = listed.map((item) => this.needs(item).size);
    const dependents = this.#dependents();
    const ready = new Lowest([...listed.keys()].filter((at) => missing[at] === 0));
    const done = new Set<Item>();
    for (let first = 0; done.size < listed.length;) {
      let at = ready.take();
      if (at === undefined) {
        while (done.has(listed[first] as Item)) first++;
        at = first;
      }
      const item = listed[at] as Item;
      if (done.has(item)) continue;
      done.add(item);
      for (const waiting of dependents.get(item) ?? []) {
        const left = place.get(waiting) as number;
        missing[left] = (missing[left] as number) - 1;
        if (missing[left] === 0) ready.add(left);
      }
    }
    return [...done];
  }
}

/** Numbers, of which the lowest is taken first: a binary heap. */
class Lowest {
  readonly #heap: number[] = [];

  constructor(numbers: Iterable<number>) {
    for (const number of numbers) this.add(number);
  }

  add(number: number): void {
    let at = this.#heap.push(number) - 1;
    for (let above = (at - 1) >> 1; at > 0 && this.#at(above) > number; at = above, above = (at - 1) >> 1) {
      this.#heap[at] = this.#at(above);
    }
    this.#heap[at] = number;
  }

  take(): number | undefined {
    const [lowest, last] = [this.#heap[0], this.#heap.pop()];
    if (last === undefined || this.#heap.length === 0) return lowest;
    let at = 0;
    for (let below = this.#below(at); this.#at(below) < last; below = this.#below(at)) {
      this.#heap[at] = this.#at(below);
      at = below;
    }
    this.#heap[at] = last;
    return lowest;
  }

  /** The lower one of the two below a place. */
  #below(at: number): number {
    return this.#at(2 * at + 2) < this.#at(2 * at + 1) ? 2 * at + 2 : 2 * at + 1;
  }

  #at(place: number): number {
    return this.#heap[place] ?? Infinity;
  }
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { Graph } from "../src/schema/order.js";
import { type Item, KINDS } from "../src/schema/snapshot.js";

const item = (at: number, kind: number, needs: number[]): Item => ({
  kind: KINDS[kind % KINDS.length] as Item["kind"],
  key: String(at),
  create: "",
  drop: "",
  replace: null,
  form: "",
  addresses: [`pg_class:${at}`],
  needs: needs.map((needed) => `pg_class:${needed}`),
});

/** Each time the first by kind of those whose needs are met, or, of a circle, the first. */
function simply(graph: Graph): Item[] {
  const waiting = [...graph.items].sort((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind));
  const done: Item[] = [];
  while (waiting.length > 0) {
    const next = waiting.findIndex((one) => [...graph.needs(one)].every((needed) => done.includes(needed)));
    done.push(...waiting.splice(Math.max(next, 0), 1));
  }
  return done;
}

const keys = (items: Iterable<Item>): string[] => [...items].map((one) => one.key);

test("items come behind what they need, by kind, with circles too", () => {
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
  for (let round = 0; round < 200; round++) {
    const size = 1 + random(40);
    const items = Array.from(
      { length: size },
      (_, at) => item(at, random(KINDS.length), Array.from({ length: random(3) }, () => random(size))),
    );
    const graph = new Graph(items, []);
    assert.deepEqual(keys(graph.ordered()), keys(simply(graph)));
  }
});

test("what needs a changed item is found through others, and not through those that cannot be made again", () => {
  const items = [item(0, 0, []), item(1, 0, [0]), item(2, 0, [1]), item(3, 0, [0]), item(4, 0, [3])];
  const found = new Graph(items, []).withDependents([items[0] as Item], (one) => one.key !== "3");
  assert.deepEqual(keys(found).sort(), ["0", "1", "2"]);
});

test("a schema of many objects is ordered at once", () => {
  const many = 50_000;
  const items = Array.from({ length: many }, (_, at) => item(at, 0, at + 1 < many ? [at + 1] : []));
  assert.equal(new Graph(items, []).ordered()[0]?.key, String(many - 1));
});

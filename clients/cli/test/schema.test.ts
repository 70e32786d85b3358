import assert from "node:assert/strict";
import { test } from "node:test";
import { inserts, readLoading } from "../src/schema/data.js";
import { type DataTable, pageOf } from "../src/schema/data_script.js";
import { diff } from "../src/schema/difference.js";
import { FamiliarNames } from "../src/schema/familiar_names.js";
import { rowStatements } from "../src/schema/row_pages.js";
import type { Column, Item, Rows, Setting, Snapshot, Table } from "../src/schema/snapshot.js";
import { creation, dropEverything, joined, script } from "../src/schema/statements.js";

const EMPTY: Snapshot = { defaults: [], items: [], tables: [], settings: [], dependencies: [], leftOut: [] };
const column = (name: string, more: Partial<Column> = {}): Column => ({
  name,
  addresses: [`pg_class:1:${name}`],
  type: "text",
  notNull: "",
  notNullName: null,
  expression: null,
  identity: "",
  counted: "",
  generated: "",
  local: true,
  ...more,
});
const table = (columns: Column[], more: Partial<Table> = {}): Table => ({
  key: "public.todos",
  addresses: ["pg_class:1"],
  columns,
  partitionBy: null,
  bound: null,
  parents: [],
  persistence: "logged",
  ...more,
});
const item = (more: Partial<Item> & Pick<Item, "kind" | "key" | "create" | "drop">): Item => ({
  replace: null,
  form: "",
  addresses: [],
  needs: [],
  ...more,
});
const preset = (name: string, expression: string, needs: string[] = []): Item =>
  item({
    kind: "default",
    key: `public.todos.${name} default`,
    create: `alter table only public.todos alter column ${name} set default ${expression}`,
    replace: `alter table only public.todos alter column ${name} set default ${expression}`,
    drop: `alter table only public.todos alter column ${name} drop default`,
    addresses: [`pg_attrdef:${name}`],
    needs: [`pg_class:1:${name}`, ...needs],
    expression,
  });
const mood = (...labels: string[]): Item =>
  item({
    kind: "enumeration",
    key: "public.mood",
    labels: labels.map((label) => `'${label}'`),
    create: `create type public.mood as enum (${labels})`,
    drop: "drop type public.mood",
  });
const security: Setting = {
  key: "public.todos row security",
  of: "public.todos",
  create: "alter table public.todos enable row level security",
  undo: "alter table public.todos disable row level security",
};
const lines = (text: string): string[] => text.split("\n\n").map((line) => line.trim());

test("real names of a shared database become those that scripts use", () => {
  const schema = "proj_0123456789abcdef0123456789abcdef";
  const names = new FamiliarNames(schema);
  assert.equal(names.of(`${schema}.todos`), "public.todos");
  assert.equal(names.of(`to ${schema}_authenticated, ${schema}_service`), "to authenticated, service_role");
  assert.equal(names.of(`${schema}_auth.users`), "auth.users");
  assert.equal(names.of(`${schema}__app.f()`), "app.f()");
  assert.equal(names.of("(owner = svc_auth.uid())"), "(owner = auth.uid())");
  assert.equal(names.of("SET search_path TO 'svc_views', 'pg_catalog'"), "SET search_path TO ''");
  assert.equal(
    names.of(
      "EXECUTE svc_functions.own_names((format('a ) public.%I', f(t)))::pg_catalog.text) USING a; execute svc_functions.own_names((q)::pg_catalog.text)",
    ),
    "EXECUTE format('a ) public.%I', f(t)) USING a; execute q",
  );
  assert.equal(names.of("proj_ffffffffffffffffffffffffffffffff.x"), "proj_ffffffffffffffffffffffffffffffff.x");
});

test("equal schemas have no difference", () => {
  const same = { ...EMPTY, tables: [table([column("a")])], settings: [security] };
  assert.equal(diff(same, structuredClone(same)), "");
});

test("columns are added, changed and dropped", () => {
  const before = { ...EMPTY, tables: [table([column("a"), column("b"), column("c")])] };
  const after = {
    ...EMPTY,
    items: [preset("c", "'x'"), preset("d", "1")],
    tables: [
      table([column("a", { type: "integer", notNull: "not null" }), column("c"), column("d", { notNull: "not null" })]),
    ],
    settings: [security],
  };
  assert.deepEqual(lines(diff(before, after)), [
    "alter table public.todos drop column b;",
    "alter table public.todos alter column a type integer using a::integer;",
    "alter table public.todos alter column a set not null;",
    "alter table public.todos add column d text not null default 1;",
    "alter table only public.todos alter column c set default 'x';",
    "alter table public.todos enable row level security;",
  ]);
});

test("what needs a column is dropped before its type changes, and made again with what was said of it", () => {
  const view = item({
    kind: "view",
    key: "public.v",
    create: "create view public.v",
    drop: "drop view public.v",
    addresses: ["pg_class:2"],
  });
  const said: Setting = {
    key: "public.v comment",
    of: "public.v",
    create: "comment on view public.v is 'x'",
    undo: "",
  };
  const schema = (type: string): Snapshot => ({
    ...EMPTY,
    items: [view],
    tables: [table([column("a", { type })])],
    settings: [said],
    dependencies: [["pg_class:2", "pg_class:1:a"]],
  });
  assert.deepEqual(lines(diff(schema("text"), schema("integer"))), [
    "drop view public.v;",
    "alter table public.todos alter column a type integer using a::integer;",
    "create view public.v;",
    "comment on view public.v is 'x';",
  ]);
});

test("what is no longer said of an object is undone", () => {
  const tables = [table([column("a")])];
  const off = diff({ ...EMPTY, tables, settings: [security] }, { ...EMPTY, tables });
  assert.equal(off, "alter table public.todos disable row level security;\n");
});

test("labels are added to an enumeration where they belong, and never removed by a guess", () => {
  const of = (...labels: string[]) => ({ ...EMPTY, items: [mood(...labels)] });
  assert.equal(diff(of("a", "c"), of("a", "b", "c")), "alter type public.mood add value 'b' after 'a';\n");
  assert.equal(diff(of("b"), of("a", "b")), "alter type public.mood add value 'a' before 'b';\n");
  assert.equal(
    diff(of(), of("a", "b")),
    "alter type public.mood add value 'a';\n\nalter type public.mood add value 'b' after 'a';\n",
  );
  assert.match(diff(of("a", "b"), of("a")), /^-- the labels of public\.mood/);
});

test("a table goes with what belongs to it", () => {
  const before = {
    ...EMPTY,
    tables: [table([column("a")])],
    items: [
      item({
        kind: "constraint",
        key: "public.todos.k",
        create: "alter table public.todos add constraint k unique (a)",
        drop: "alter table public.todos drop constraint k",
        needs: ["pg_class:1"],
      }),
      item({
        kind: "policy",
        key: "public.todos.p",
        create: "create policy p on public.todos",
        drop: "drop policy p on public.todos",
        needs: ["pg_class:1"],
      }),
    ],
  };
  assert.equal(diff(before, EMPTY), "drop table public.todos;\n");
});

test("defaults come after the functions that they call, and tables after those that their columns call", () => {
  const called = item({
    kind: "routine",
    key: "function public.f()",
    create: "CREATE FUNCTION public.f()",
    drop: "drop function public.f()",
    addresses: ["pg_proc:7"],
  });
  const tables = [table([column("a"), column("g", { generated: "s", expression: "public.f()" })])];
  const text = script({ ...EMPTY, tables, items: [preset("a", "public.f()", ["pg_proc:7"]), called] });
  assert.ok(text.indexOf("create table") < text.indexOf("CREATE FUNCTION"));
  assert.ok(text.indexOf("CREATE FUNCTION") < text.indexOf("set default"));
  const dependent = script({ ...EMPTY, tables, items: [called], dependencies: [["pg_class:1:g", "pg_proc:7"]] });
  assert.ok(dependent.indexOf("CREATE FUNCTION") < dependent.indexOf("create table"));
});

test("a script says first what is not in it", () => {
  const text = script({ ...EMPTY, tables: [table([column("a")])], leftOut: ["the schema app"] });
  assert.match(text, /^set check_function_bodies = off;\n\n-- not in this script: the schema app\n/);
});

test("dropping everything names policies and triggers of other schemas", () => {
  const text = dropEverything({
    ...EMPTY,
    items: [
      item({ kind: "policy", key: "storage.objects.p", create: "", drop: "drop policy p on storage.objects" }),
      item({ kind: "policy", key: "public.t.q", create: "", drop: "drop policy q on public.t" }),
    ],
    leftOut: ["the schema app"],
  });
  assert.equal(text, "drop policy p on storage.objects;\n\ndrop schema app cascade;\n");
});

const held = (key: string, more: Partial<DataTable> = {}): DataTable => ({
  key,
  forced: false,
  columns: ["id"],
  identity: false,
  key_columns: ["id"],
  key_types: ["integer"],
  ...more,
});
const reference = (of_table: string, to_table: string) => ({
  of_table,
  to_table,
  name: "k",
  deferrable: false,
  deferred: false,
  part: false,
});
const answers = (parts: Record<string, unknown[]>): Rows =>
  Object.entries(parts).map(([part, rows]) => ({ part, rows }));

test("rows come behind those that they refer to; keys in a circle are checked at the end", () => {
  const line = readLoading(answers({ tables: [held("a"), held("b")], references: [reference("a", "b")] }));
  assert.deepEqual(line.tables.map(({ key }) => key), ["b", "a"]);
  assert.deepEqual(line.before, ["begin"]);
  const circle = readLoading(
    answers({ tables: [held("a"), held("b")], references: [reference("a", "b"), reference("b", "a")] }),
  );
  assert.deepEqual(circle.before.slice(1), [
    "alter table b alter constraint k deferrable initially deferred",
    "set constraints all deferred",
  ]);
  assert.deepEqual(circle.behind.slice(0, 2), [
    "set constraints all immediate",
    "alter table b alter constraint k not deferrable",
  ]);
});

test("a name with lines stays inside of its comment", () => {
  const hostile = "a\n; drop table public.todos; --";
  const of = (...labels: string[]) => ({ ...EMPTY, items: [mood(...labels)] });
  for (
    const text of [
      diff(of("b"), of(hostile)),
      joined(creation({ ...EMPTY, leftOut: [`the schema ${hostile}`] })),
      joined(readLoading(answers({ tables: [held(`public."${hostile}"`, { forced: true })] })).notes),
    ]
  ) {
    assert.deepEqual(text.split("\n").filter((line) => line !== "" && !line.startsWith("-- ")), []);
  }
});

test("rows that nothing may read are named instead", () => {
  const { tables, notes } = readLoading(answers({ tables: [held("a", { forced: true })] }));
  assert.deepEqual(tables, []);
  assert.deepEqual(notes, ["-- not in this script: the rows of a, as row security is forced on its owner"]);
});

test("no INSERT is longer than what a call takes", () => {
  const rows = Array.from({ length: 5 }, (_, at) => `(${at}, '${"x".repeat(60_000)}')`);
  const statements = inserts(held("a", { identity: true }), rows);
  assert.equal(statements.length, 5);
  assert.match(statements[0] ?? "", /^insert into a \(id\) overriding system value values\n\(0, /);
});

test("a table with a column of any name is read, page by page from the last key", () => {
  assert.equal(
    pageOf(held("t", { columns: ["t", "held"], key_columns: ["t"], key_types: ["text"] }), ["it's"], 9),
    "select '(' || quote_nullable(held.t::text) || ', ' || quote_nullable(held.held::text) || ')' as row, " +
      "array[held.t::text] as place from only t held where (held.t) > ('it''s'::text) order by held.t limit 9;",
  );
});

test("a table without a key is read by the places of its rows", () => {
  const table = held("t", { key_columns: null, key_types: null });
  const row =
    "select '(' || quote_nullable(held.id::text) || ')' as row, array[held.ctid::text] as place from only t held";
  assert.equal(pageOf(table, undefined, 9), `${row} order by held.ctid limit 9;`);
  assert.equal(pageOf(table, ["(0,7)"], 9), `${row} where (held.ctid) > ('(0,7)'::tid) order by held.ctid limit 9;`);
});

test("large tables are read in pages, smaller ones where an answer is too long", async () => {
  const ids = Array.from({ length: 3000 }, (_, at) => at + 1);
  let calls = 0;
  const read = (query: string): Promise<Rows[] | undefined> => {
    calls++;
    const limit = Number(/limit (\d+)/.exec(query)?.[1]);
    if (limit > 1000) return Promise.resolve(undefined);
    const after = Number(/> \('(\d+)'/.exec(query)?.[1] ?? 0);
    return Promise.resolve([
      ids.filter((id) => id > after).slice(0, limit).map((id) => ({ row: `('${id}')`, place: [String(id)] })),
    ]);
  };
  const loaded: string[] = [];
  for await (const statement of rowStatements(read, readLoading(answers({ tables: [held("a")] })))) {
    loaded.push(...[...statement.matchAll(/\('(\d+)'\)/g)].map(([, id]) => id ?? ""));
  }
  assert.deepEqual(loaded, ids.map(String));
  assert.ok(calls < 12);
});

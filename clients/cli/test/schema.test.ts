import assert from "node:assert/strict";
import { test } from "node:test";
import { diff } from "../src/schema/difference.js";
import { FamiliarNames } from "../src/schema/familiar_names.js";
import type { Column, Snapshot, Table } from "../src/schema/snapshot.js";
import { dropEverything, script } from "../src/schema/statements.js";

const EMPTY: Snapshot = {
  schemas: [],
  enumerations: [],
  types: [],
  sequences: [],
  owners: [],
  tables: [],
  functions: [],
  views: [],
  constraints: [],
  indexes: [],
  triggers: [],
  policies: [],
};
const column = (name: string, more: Partial<Column> = {}): Column => ({
  name,
  type: "text",
  notNull: false,
  expression: null,
  identity: "",
  generated: "",
  ...more,
});
const table = (columns: Column[], more: Partial<Table> = {}): Table => ({
  name: "todos",
  columns,
  partitionBy: null,
  partitionOf: null,
  rowSecurity: false,
  forcedRowSecurity: false,
  ...more,
});
const mood = (...labels: string[]) => ({
  key: "mood",
  labels: labels.map((label) => `'${label}'`),
  create: `create type public.mood as enum (${labels})`,
  drop: "drop type public.mood",
});

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
  const same = { ...EMPTY, tables: [table([column("a")])] };
  assert.equal(diff(same, structuredClone(same)), "");
});

test("columns are added, changed and dropped", () => {
  const before = { ...EMPTY, tables: [table([column("a"), column("b"), column("c")])] };
  const after = {
    ...EMPTY,
    tables: [
      table([
        column("a", { type: "integer", notNull: true }),
        column("c", { expression: "'x'" }),
        column("d", { expression: "1", notNull: true }),
      ], { rowSecurity: true }),
    ],
  };
  assert.deepEqual(diff(before, after).split("\n\n").map((line) => line.trim()), [
    "alter table public.todos drop column b;",
    "alter table public.todos add column d text not null default 1;",
    "alter table public.todos alter column a type integer using a::integer;",
    "alter table public.todos alter column a set not null;",
    "alter table public.todos alter column c set default 'x';",
    "alter table public.todos enable row level security;",
  ]);
});

test("labels are added to an enumeration where they belong, and never removed by a guess", () => {
  const of = (...labels: string[]) => ({ ...EMPTY, enumerations: [mood(...labels)] });
  assert.equal(diff(of("a", "c"), of("a", "b", "c")), "alter type public.mood add value 'b' after 'a';\n");
  assert.equal(diff(of("b"), of("a", "b")), "alter type public.mood add value 'a' before 'b';\n");
  assert.match(diff(of("a", "b"), of("a")), /^-- the labels of public\.mood/);
});

test("a table goes with what belongs to it", () => {
  const before = {
    ...EMPTY,
    tables: [table([column("a")])],
    constraints: [{
      key: "todos.k",
      create: "alter table public.todos add constraint k unique (a)",
      drop: "alter table public.todos drop constraint k",
    }],
    policies: [{
      key: "public.todos.p",
      create: "create policy p on public.todos",
      drop: "drop policy p on public.todos",
    }],
  };
  assert.equal(diff(before, EMPTY), "drop table public.todos;\n");
});

test("defaults come after the functions that they may call", () => {
  const text = script({
    ...EMPTY,
    tables: [table([column("a", { expression: "public.f()" })])],
    functions: [{ key: "f()", create: "CREATE FUNCTION public.f()", drop: "drop function public.f()" }],
  });
  assert.ok(
    text.indexOf("create table") < text.indexOf("CREATE FUNCTION") &&
      text.indexOf("CREATE FUNCTION") < text.indexOf("set default"),
  );
});

test("dropping everything names policies and triggers of other schemas", () => {
  const text = dropEverything({
    ...EMPTY,
    policies: [{ key: "storage.objects.p", create: "", drop: "drop policy p on storage.objects" }, {
      key: "public.t.q",
      create: "",
      drop: "drop policy q on public.t",
    }],
    schemas: ["app"],
  });
  assert.equal(text, "drop policy p on storage.objects;\n\ndrop schema app cascade;\n");
});

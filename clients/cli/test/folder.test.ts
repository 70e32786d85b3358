import assert from "node:assert/strict";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { below, dataUrl, placeOf } from "../src/project/storage_place.js";
import { folder, json, problem, server, svc } from "./running.js";

async function withFiles(test: TestContext, files: Record<string, string>): Promise<string> {
  const directory = await folder(test);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  return directory;
}

const DEPLOYED = json({ name: "hello", version: 1, status: "ACTIVE" }, 201);

test("a function is sent with its files, _shared and its settings, and without hidden files", async (test) => {
  const directory = await withFiles(test, {
    "supabase/config.toml": "[functions.hello]\nverify_jwt = false\n",
    "supabase/functions/hello/index.ts": "main",
    "supabase/functions/hello/lib/a.ts": "a",
    "supabase/functions/hello/deno.json": '{"imports":{}}',
    "supabase/functions/hello/.env": "SECRET=1",
    "supabase/functions/hello/node_modules/x/index.js": "x",
    "supabase/functions/_shared/cors.ts": "cors",
    "supabase/functions/import_map.json": "{}",
    "supabase/functions/other/index.ts": "other",
  });
  const { environment, received } = await server(test, DEPLOYED);
  const { code, err } = await svc(["functions", "deploy", "hello"], { environment, directory });
  assert.equal(code, 0, err);
  assert.deepEqual(JSON.parse(received[0]!.body), {
    name: "hello",
    source: "main",
    files: { "deno.json": '{"imports":{}}', "lib/a.ts": "a", "_shared/cors.ts": "cors" },
    entrypoint: "index.ts",
    verify_jwt: false,
  });
});

test("what a function imports from other folders of functions/ is sent with it, and nothing above", async (test) => {
  const directory = await withFiles(test, {
    "supabase/functions/hello/index.ts": 'import { a } from "../lib/a.ts";\nexport * from "../_shared/cors.ts";',
    "supabase/functions/lib/a.ts": "import { b } from '../common/deep/b.ts'; export const a = b;",
    "supabase/functions/lib/unused.ts": "unused",
    "supabase/functions/common/deep/b.ts": 'const c = await import("../c.ts"); export const b = c;',
    "supabase/functions/common/c.ts": 'import "../../outside.ts"; import "./missing.ts"; import "../hello/index.ts";',
    "supabase/functions/_shared/cors.ts": 'export { d } from "../types.ts";',
    "supabase/functions/types.ts": "export const d = 1;",
    "supabase/functions/mapped/m.ts": "mapped",
    "supabase/functions/hello/deno.json": '{"imports":{"mapped/":"../mapped/"}}',
    "supabase/outside.ts": "outside",
  });
  const { environment, received } = await server(test, DEPLOYED);
  const { code, err } = await svc(["functions", "deploy", "hello"], { environment, directory });
  assert.equal(code, 0, err);
  assert.deepEqual(Object.keys(JSON.parse(received[0]!.body).files).sort(), [
    "../common/c.ts",
    "../common/deep/b.ts",
    "../lib/a.ts",
    "../mapped/m.ts",
    "../types.ts",
    "_shared/cors.ts",
    "deno.json",
  ]);
});

test("functions serve says at its start that Deno is not there", async (test) => {
  const directory = await withFiles(test, { "supabase/functions/hello/index.ts": "main" });
  const { environment } = await server(
    test,
    ({ url }, response) =>
      void response.writeHead(200, { "content-type": "application/json" }).end(
        JSON.stringify(
          url.includes("/api-keys") ? [] : { url: "http://abcd1234.localhost", schema: "s", anon_key: "a" },
        ),
      ),
  );
  const { code, out, err } = await svc(["functions", "serve", "--port", "0"], {
    environment: { ...environment, SVC_DENO: join(directory, "no-deno") },
    directory,
  });
  assert.equal(code, 1);
  assert.match(err, /Deno is not installed/);
  assert.equal(out, "");
});

test("the import map of functions/ applies to a function that has none", async (test) => {
  const directory = await withFiles(test, {
    "svc/functions/hello/index.tsx": "main",
    "svc/functions/import_map.json": '{"imports":{"a":"./_shared/a.ts"}}',
  });
  const { environment, received } = await server(test, DEPLOYED);
  await svc(["functions", "deploy"], { environment, directory });
  const { files, import_map, entrypoint } = JSON.parse(received[0]!.body);
  assert.deepEqual(files, { "import_map.json": '{"imports":{"a":"./_shared/a.ts"}}' });
  assert.equal(import_map, "import_map.json");
  assert.equal(entrypoint, "index.tsx");
});

test("entrypoint and import_map of config.toml are used", async (test) => {
  const directory = await withFiles(test, {
    "supabase/config.toml":
      '[functions.hello]\nentrypoint = "./functions/hello/main.ts"\nimport_map = "./functions/hello/map.json"\n',
    "supabase/functions/hello/main.ts": "main",
    "supabase/functions/hello/map.json": "{}",
  });
  const { environment, received } = await server(test, DEPLOYED);
  await svc(["functions", "deploy"], { environment, directory });
  const { import_map, entrypoint } = JSON.parse(received[0]!.body);
  assert.deepEqual([entrypoint, import_map], ["main.ts", "map.json"]);
});

test("nothing outside the folder is sent, by links or by config.toml", async (test) => {
  const outside = await withFiles(test, { "id_rsa": "PRIVATE" });
  const directory = await withFiles(test, { "svc/functions/hello/index.ts": "main" });
  await symlink(join(outside, "id_rsa"), join(directory, "svc/functions/hello/key.txt"));
  await symlink(outside, join(directory, "svc/functions/_shared"));
  const { environment, received } = await server(test, DEPLOYED);
  const linked = await svc(["functions", "deploy"], { environment, directory });
  assert.equal(linked.code, 0, linked.err);
  assert.ok(!received[0]!.body.includes("PRIVATE"));
  assert.match(linked.err, /not sent: .*key\.txt leads out/);
  for (const key of ["entrypoint", "import_map"]) {
    await writeFile(join(directory, "svc/config.toml"), `[functions.hello]\n${key} = "${join(outside, "id_rsa")}"\n`);
    const { code } = await svc(["functions", "deploy"], { environment, directory });
    assert.equal(code, 2, key);
  }
  assert.ok(received.every(({ body }) => !body.includes("PRIVATE")));
});

test("a file that is no text is left out with a warning, and too many files are refused", async (test) => {
  const directory = await withFiles(test, { "svc/functions/hello/index.ts": "main" });
  await writeFile(join(directory, "svc/functions/hello/image.png"), Buffer.from([0xff, 0xfe, 0x00]));
  const { environment, received } = await server(test, DEPLOYED);
  const { err } = await svc(["functions", "deploy"], { environment, directory });
  assert.match(err, /image\.png is not a text/);
  for (let at = 0; at < 256; at++) await writeFile(join(directory, `svc/functions/hello/f${at}.ts`), "");
  const many = await svc(["functions", "deploy"], { environment, directory });
  assert.equal(many.code, 1);
  assert.match(many.err, /more than 256 files/);
  assert.equal(received.length, 1);
});

test("one function that fails does not keep back the others, and the command fails", async (test) => {
  const directory = await withFiles(test, { "svc/functions/a/index.ts": "a", "svc/functions/b/index.ts": "b" });
  const fault = { faults: [{ file: "index.ts", line: 1, column: 2, message: "unexpected" }] };
  const { environment, received } = await server(
    test,
    (request, response) =>
      (JSON.parse(request.body).name === "a"
        ? problem(400, "function_compile_failed", "It does not compile.", fault)
        : DEPLOYED)(request, response),
  );
  const { code, err } = await svc(["functions", "deploy"], { environment, directory });
  assert.equal(code, 1);
  assert.equal(received.length, 2);
  assert.match(err, /a: It does not compile\.\n {2}index\.ts:1:2 unexpected/);
});

test("a secret's value is never an argument, and never printed", async (test) => {
  const { environment, received } = await server(test, json({}));
  const argument = await svc(["functions", "secrets", "set", "hello", "KEY=hidden"], { environment });
  assert.equal(argument.code, 2);
  assert.match(argument.err, /must not be an argument/);
  assert.equal(received.length, 0);
  const input = await svc(["functions", "secrets", "set", "hello", "KEY", "--verbose"], {
    environment,
    stdin: "hidden\n",
  });
  assert.equal(input.code, 0, input.err);
  assert.deepEqual(JSON.parse(received[0]!.body), { functionName: "hello", key: "KEY", value: "hidden" });
  const lines = await svc(["functions", "secrets", "set", "hello", "--env-file", "-"], {
    environment,
    stdin: 'A=1\nB="two hidden"\n',
  });
  assert.deepEqual(received.slice(1).map(({ body }) => JSON.parse(body).value), ["1", "two hidden"]);
  for (const { out, err } of [argument, input, lines]) assert.ok(!(out + err).includes("hidden"));
});

test("an empty secret is stored only when it is asked for", async (test) => {
  const { environment, received } = await server(test, json({}));
  for (const command of [["secrets", "set"], ["functions", "secrets", "set", "hello"]]) {
    const { code, err } = await svc([...command, "KEY"], { environment, stdin: "" });
    assert.equal(code, 2);
    assert.match(err, /There is no value of KEY/);
  }
  assert.equal(received.length, 0);
  assert.equal((await svc(["secrets", "set", "KEY", "--empty"], { environment, stdin: "" })).code, 0);
  assert.deepEqual(JSON.parse(received[0]!.body), [{ name: "KEY", value: "" }]);
});

test("parameters of a query leave the SQL alone", async (test) => {
  const { environment, received } = await server(test, json([]));
  const { code, err } = await svc(["db", "query", "-p", "1", "--param", '"two"', "select $1, $2"], { environment });
  assert.equal(code, 0, err);
  assert.deepEqual(JSON.parse(received[0]!.body), { query: "select $1, $2", parameters: [1, "two"] });
});

test("the rollback of a migration is kept", async (test) => {
  const { environment, received } = await server(test, json({}));
  const args = ["migrations", "set-rollback", "20300131120000", "--from", "-"];
  assert.equal((await svc(args, { environment, stdin: " \n" })).code, 2);
  assert.equal(received.length, 0);
  const { code, err } = await svc(args, { environment, stdin: "drop table a" });
  assert.equal(code, 0, err);
  assert.equal(
    `${received[0]!.method} ${received[0]!.url}`,
    "PATCH /v1/projects/abcd1234/database/migrations/20300131120000",
  );
  assert.deepEqual(JSON.parse(received[0]!.body), { rollback: "drop table a" });
});

test("a migration of what is there already names the command that records it", async (test) => {
  const failed = problem(400, "sql_error", 'relation "a" already exists', {
    sqlstate: "42P07",
    version: "20300131120000",
    migrations: [],
  });
  const { environment } = await server(test, failed);
  const directory = await withFiles(test, { "svc/migrations/20300131120000_a.sql": "create table a ()" });
  const { code, err } = await svc(["db", "push"], { environment, directory });
  assert.equal(code, 1);
  assert.match(err, /svc migrations repair 20300131120000 --status applied/);
});

test("secrets of all functions are sent in one call, and never printed", async (test) => {
  const { environment, received } = await server(test, json([{ name: "A", value: "digest" }]));
  const argument = await svc(["secrets", "set", "A=hidden"], { environment });
  assert.equal(argument.code, 2);
  assert.match(argument.err, /\| svc secrets set A\n/);
  const lines = await svc(["secrets", "set", "--env-file", "-"], { environment, stdin: 'A=1\nB="two hidden"\n' });
  assert.equal(lines.code, 0, lines.err);
  assert.equal((await svc(["secrets", "unset", "A", "B"], { environment })).code, 0);
  assert.match((await svc(["secrets", "list"], { environment })).out, /^A {4}digest$/m);
  assert.deepEqual(received.map(({ method, url }) => `${method} ${url}`), [
    "POST /v1/projects/abcd1234/secrets",
    "DELETE /v1/projects/abcd1234/secrets",
    "GET /v1/projects/abcd1234/secrets",
  ]);
  assert.deepEqual(JSON.parse(received[0]!.body), [{ name: "A", value: "1" }, { name: "B", value: "two hidden" }]);
  assert.deepEqual(JSON.parse(received[1]!.body), ["A", "B"]);
  for (const { out, err } of [argument, lines]) assert.ok(!(out + err).includes("hidden"));
});

test("migrations are made, named and sent in order", async (test) => {
  const { environment, received } = await server(test, json({ migrations: [] }));
  const directory = await withFiles(test, {
    "svc/migrations/20300131120100_b.sql": "b",
    "svc/migrations/20300131120000_a.sql": "a",
  });
  await svc(["migrations", "up"], { environment, directory });
  assert.deepEqual(JSON.parse(received[0]!.body), {
    migrations: [{ name: "20300131120000_a.sql", query: "a" }, { name: "20300131120100_b.sql", query: "b" }],
  });
  const made = await svc(["migrations", "new", "Add titles!", "--from", "-"], { directory, stdin: "select 1" });
  assert.match(made.out, /\/\d{14}_add_titles\.sql\n$/);
  assert.equal(await readFile(made.out.trim(), "utf8"), "select 1");
});

test("versions of migrations are any digits, and order as text", async (test) => {
  const { environment, received } = await server(test, json({ migrations: [] }));
  const names = ["010_c.sql", "1_d.sql", "001_init.sql", "002_.sql"];
  const directory = await withFiles(test, Object.fromEntries(names.map((name) => [`svc/migrations/${name}`, "x"])));
  const { code, err } = await svc(["migrations", "up"], { environment, directory });
  assert.equal(code, 0, err);
  assert.deepEqual(
    JSON.parse(received[0]!.body).migrations.map(({ name }: { name: string }) => name),
    ["001_init.sql", "002_.sql", "010_c.sql", "1_d.sql"],
  );
  await writeFile(join(directory, "svc/migrations/002_b.sql"), "x");
  const twice = await svc(["migrations", "up"], { environment, directory });
  assert.equal(twice.code, 2);
  assert.match(twice.err, /002_\.sql and 002_b\.sql have the same version/);
  assert.match(twice.err, /next: rename one of them/);
});

test("migrations are rolled back from a version on, after a confirmation", async (test) => {
  const rolledBack = [{ version: "20300131120100", name: "b" }, { version: "20300131120000" }];
  const { environment, received } = await server(test, json(rolledBack));
  assert.equal((await svc(["migrations", "down", "20300131120000"], { environment })).code, 6);
  assert.equal((await svc(["migrations", "down", "b", "--yes"], { environment })).code, 2);
  assert.equal(received.length, 0);
  const { code, out, err } = await svc(["migrations", "down", "20300131120000", "--yes", "--json"], { environment });
  assert.equal(code, 0, err);
  assert.deepEqual(JSON.parse(out), { migrations: rolledBack });
  assert.equal(received[0]!.method, "DELETE");
  assert.match(received[0]!.url, /\/database\/migrations\?gte=20300131120000$/);
});

test("a folder of more than 500 migrations is sent in parts", async (test) => {
  const { environment, received } = await server(test, json({ migrations: [] }));
  const files = Array.from({ length: 501 }, (_, at) => [`svc/migrations/${20300101000000 + at}_m.sql`, "select 1"]);
  const directory = await withFiles(test, Object.fromEntries(files));
  await svc(["db", "push"], { environment, directory });
  assert.deepEqual(received.map(({ body }) => JSON.parse(body).migrations.length), [500, 1]);
});

test("a large folder is sent in parts, and at once to try it", async (test) => {
  const { environment, received } = await server(test, json({ migrations: [] }));
  const text = "-- ".repeat(600_000);
  const names = ["001_a.sql", "002_b.sql", "003_c.sql"];
  const directory = await withFiles(test, Object.fromEntries(names.map((name) => [`svc/migrations/${name}`, text])));
  for (const options of [[], ["--dry-run"]]) {
    const { code, err } = await svc(["migrations", "up", ...options], { environment, directory });
    assert.equal(code, 0, err);
  }
  assert.deepEqual(received.map(({ body }) => JSON.parse(body).migrations.length), [2, 1, 3]);
});

test("files that are not named like migrations are refused, and so are two of one version", async (test) => {
  const { environment, received } = await server(test, json({ migrations: [] }));
  for (
    const files of [{ "svc/migrations/init.sql": "" }, {
      "svc/migrations/20300131120000_a.sql": "",
      "svc/migrations/20300131120000_b.sql": "",
    }]
  ) {
    const { code, err } = await svc(["db", "push"], {
      environment,
      directory: await withFiles(test, files as Record<string, string>),
    });
    assert.equal(code, 2);
    assert.match(err, /next: /);
  }
  assert.equal(received.length, 0);
});

test("the failed migration is named, with what happened to those before it", async (test) => {
  const more = {
    version: "20300131120100",
    migrations: [{ version: "20300131120000", state: "applied" }, { version: "20300131120100", state: "failed" }],
  };
  const { environment } = await server(test, problem(400, "sql_error", "no such table", more));
  const directory = await withFiles(test, {
    "svc/migrations/20300131120000_a.sql": "",
    "svc/migrations/20300131120100_b.sql": "",
  });
  const { code, err } = await svc(["db", "push"], { environment, directory });
  assert.equal(code, 1);
  assert.match(
    err,
    /20300131120100_b\.sql: no such table\n {2}next: correct 20300131120100_b\.sql and run the command again; 1 migrations/,
  );
});

test("the history is read to its last page, and only from the control plane itself", async (test) => {
  const { environment, received } = await server(test, (request, response) => {
    const second = request.url.includes("cursor=2");
    const link: Record<string, string> = second
      ? {}
      : { link: '<https://elsewhere.example/v1/x?cursor=2&limit=1000>; rel="next"' };
    response.writeHead(200, { "content-type": "application/json", ...link });
    response.end(JSON.stringify([{ version: second ? "20300131120100" : "20300131120000", state: "applied" }]));
  });
  const { out } = await svc(["migrations", "list", "--json"], {
    environment,
    directory: await withFiles(test, { "svc/config.toml": "" }),
  });
  assert.equal(JSON.parse(out).length, 2);
  assert.equal(received.length, 2);
});

test("config.toml that cannot be read is an error of the command line", async (test) => {
  const { environment } = await server(test, DEPLOYED);
  for (const text of ["[functions", '[functions.hello]\nverify_jwt = "no"\n']) {
    const directory = await withFiles(test, { "svc/config.toml": text, "svc/functions/hello/index.ts": "" });
    assert.equal((await svc(["functions", "deploy"], { environment, directory })).code, 2);
  }
});

test("a name in the storage cannot lead out of the folder of a download", () => {
  assert.equal(below("/tmp/x", "a/b.txt"), "/tmp/x/a/b.txt");
  for (const name of ["../b", "a/../../b", "/etc/passwd", "", "..", ".", "a\0b"]) {
    assert.throws(() => below("/tmp/x", name), /leads out/, name);
  }
});

test("places in the storage", () => {
  assert.deepEqual(placeOf("ss:///photos/2030/a.png"), { bucket: "photos", path: "2030/a.png" });
  assert.deepEqual(placeOf("ss:///photos"), { bucket: "photos", path: "" });
  assert.throws(() => placeOf("photos/a.png"), /no place in the storage/);
});

test("a project below localhost is reached by its path", () => {
  assert.equal(
    dataUrl("http://abcd1234.localhost:8000", "http://127.0.0.1:8000/v1", "abcd1234"),
    "http://127.0.0.1:8000/p/abcd1234",
  );
  assert.equal(
    dataUrl("https://abcd1234.data.example", "https://api.example/v1", "abcd1234"),
    "https://abcd1234.data.example",
  );
});

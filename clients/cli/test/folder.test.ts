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

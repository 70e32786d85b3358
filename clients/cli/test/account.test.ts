import assert from "node:assert/strict";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { folder, json, problem, REF, server, svc, TOKEN } from "./running.js";

test("a token is read from standard input, kept in a file of mode 0600, and printed nowhere", async (test) => {
  const { url, received } = await server(test, json([{ slug: "acme" }]));
  const config = await folder(test);
  const environment = { XDG_CONFIG_HOME: config };
  const login = await svc(["login", "--api-url", url], { environment, stdin: `${TOKEN}\n` });
  assert.equal(login.code, 0, login.err);
  const file = join(config, "svc", "credentials.json");
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal((await stat(join(config, "svc"))).mode & 0o777, 0o700);
  assert.ok((await readFile(file, "utf8")).includes(TOKEN));
  assert.equal(received[0]?.headers.authorization, `Bearer ${TOKEN}`);
  const list = await svc(["projects", "list", "--verbose"], { environment });
  assert.equal(list.code, 0, list.err);
  assert.equal(received.at(-1)?.headers.authorization, `Bearer ${TOKEN}`);
  for (const text of [login.out, login.err, list.out, list.err]) assert.ok(!text.includes(TOKEN));
});

test("a file of credentials that others could read gets mode 0600 with the next sign-in", async (test) => {
  const { url } = await server(test, json([]));
  const config = await folder(test);
  await mkdir(join(config, "svc"));
  const file = join(config, "svc", "credentials.json");
  await writeFile(file, JSON.stringify({ tokens: { "https://other/v1": "svc_pat_other" } }), { mode: 0o644 });
  await svc(["login", "--api-url", url], { environment: { XDG_CONFIG_HOME: config }, stdin: TOKEN });
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.ok((await readFile(file, "utf8")).includes("svc_pat_other"));
});

test("a wrong token is not kept", async (test) => {
  const { url } = await server(test, problem(401, "token_unknown", "The token is not known."));
  const config = await folder(test);
  const outcome = await svc(["login", "--api-url", url], { environment: { XDG_CONFIG_HOME: config }, stdin: TOKEN });
  assert.equal(outcome.code, 3);
  assert.match(outcome.err, /svc: The token is not known\.\n {2}next: svc login\n {2}request id: request1/);
  await assert.rejects(stat(join(config, "svc", "credentials.json")), { code: "ENOENT" });
});

test("something that is no token is refused before anything is sent", async (test) => {
  const { url, received } = await server(test, json([]));
  for (const stdin of ["", "my password", "svc_pat_a b", "svc_pat_\u00e9"]) {
    const environment = { XDG_CONFIG_HOME: await folder(test) };
    const { code } = await svc(["login", "--api-url", url], { environment, stdin });
    assert.ok(code === 2 || code === 3, stdin);
  }
  assert.equal(received.length, 0);
});

test("logout forgets the token", async (test) => {
  const { url } = await server(test, json([]));
  const environment = { XDG_CONFIG_HOME: await folder(test) };
  await svc(["login", "--api-url", url], { environment, stdin: TOKEN });
  assert.equal((await svc(["logout"], { environment })).code, 0);
  const after = await svc(["projects", "list"], { environment });
  assert.equal(after.code, 3);
  assert.match(after.err, /not signed in.*\n {2}next: svc login/);
});

test("without a token each command says how to sign in", async (test) => {
  const environment = { XDG_CONFIG_HOME: await folder(test) };
  for (
    const args of [["projects", "list"], ["status", "--project-ref", REF], [
      "db",
      "query",
      "select 1",
      "--project-ref",
      REF,
    ]]
  ) {
    const { code, err } = await svc(args, { environment, directory: await folder(test) });
    assert.equal(code, 3, args.join(" "));
    assert.match(err, /next: svc login/);
  }
});

test("a folder without a project is an error that says how to choose one", async (test) => {
  const { environment } = await server(test, json([]));
  const { SVC_PROJECT_REF: _, ...others } = environment;
  const directory = await folder(test);
  const none = await svc(["status"], { environment: others, directory });
  assert.equal(none.code, 4);
  assert.match(none.err, /No project is chosen.*\n {2}next: svc link <ref>/);
  const noFolder = await svc(["db", "push"], { environment, directory });
  assert.equal(noFolder.code, 4);
  assert.match(noFolder.err, /no folder svc\/ or supabase\/.*\n {2}next: svc init/);
});

test("a token of the environment never goes to an address that a folder names", async (test) => {
  const stranger = await server(test, json([]));
  const directory = await folder(test);
  await mkdir(join(directory, "svc", ".temp"), { recursive: true });
  await writeFile(join(directory, "svc", ".temp", "svc-project.json"), JSON.stringify({ ref: REF, url: stranger.url }));
  const environment = { XDG_CONFIG_HOME: await folder(test), SVC_ACCESS_TOKEN: TOKEN };
  const { code, err } = await svc(["status"], { environment, directory });
  assert.equal(code, 2);
  assert.match(err, /set SVC_API_URL/);
  assert.equal(stranger.received.length, 0);
});

test("a stored token goes to its own control plane only", async (test) => {
  const own = await server(test, json([]));
  const stranger = await server(test, json([]));
  const environment = { XDG_CONFIG_HOME: await folder(test) };
  await svc(["login", "--api-url", own.url], { environment, stdin: TOKEN });
  const directory = await folder(test);
  await mkdir(join(directory, "svc", ".temp"), { recursive: true });
  await writeFile(join(directory, "svc", ".temp", "svc-project.json"), JSON.stringify({ ref: REF, url: stranger.url }));
  assert.equal((await svc(["status"], { environment, directory })).code, 3);
  assert.equal((await svc(["projects", "list", "--api-url", stranger.url], { environment })).code, 3);
  assert.equal(stranger.received.length, 0);
});

test("link keeps the project in the folder, for commands from below it", async (test) => {
  const { environment, url, received } = await server(
    test,
    json({ ref: REF, name: "shop", status: "ACTIVE_HEALTHY", url: "http://x" }),
  );
  const { SVC_PROJECT_REF: _, ...others } = environment;
  const directory = await folder(test);
  assert.equal((await svc(["init"], { directory })).code, 0);
  assert.equal((await svc(["link", REF], { environment: others, directory })).code, 0);
  const file = join(directory, "svc", ".temp", "svc-project.json");
  assert.deepEqual(JSON.parse(await readFile(file, "utf8")), { ref: REF, url });
  await svc(["projects", "get"], { environment: others, directory: join(directory, "svc", "functions") });
  assert.equal(received.at(-1)?.url, `/v1/projects/${REF}`);
});

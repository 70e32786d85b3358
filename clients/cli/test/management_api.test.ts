import assert from "node:assert/strict";
import { test } from "node:test";
import { json, problem, server, svc, TOKEN } from "./running.js";

const LIST = ["projects", "list"];

test("a page of a proxy is not taken for an answer", async (test) => {
  const { environment } = await server(test, (_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(
      "<html><title>Sign in</title>Sign in to the hotel</html>",
    );
  });
  const { code, err, out } = await svc(LIST, { environment });
  assert.equal(code, 5);
  assert.match(err, /answered 200 with text\/html, which is not the platform's: Sign in/);
  assert.match(err, /next: check --api-url, and whether a proxy/);
  assert.equal(out, "");
});

test("an error page of a proxy is named with its status", async (test) => {
  const { environment } = await server(test, (_, response) => {
    response.writeHead(403, { "content-type": "text/html" }).end("<h1>Forbidden</h1>");
  });
  const { code, err } = await svc(LIST, { environment });
  assert.equal(code, 5);
  assert.match(err, /answered 403 with text\/html.*Forbidden/);
});

test("a redirect is not followed: the token stays here", async (test) => {
  const elsewhere = await server(test, json([]));
  const { environment } = await server(test, (_, response) => {
    response.writeHead(302, { location: `${elsewhere.url}/projects` }).end();
  });
  const { code, err } = await svc(LIST, { environment });
  assert.equal(code, 5);
  assert.match(err, /redirects to http/);
  assert.equal(elsewhere.received.length, 0);
});

test("no network is an error with the address", async (test) => {
  const environment = { SVC_ACCESS_TOKEN: TOKEN, SVC_API_URL: "http://127.0.0.1:9" };
  const refused = await svc(LIST, { environment });
  assert.equal(refused.code, 5);
  assert.match(refused.err, /127\.0\.0\.1:9.*\n {2}next: check the network and the address/);
  const unknown = await svc(LIST, { environment: { ...environment, SVC_API_URL: "http://svc.invalid" } });
  assert.equal(unknown.code, 5);
  assert.match(unknown.err, /svc\.invalid/);
  test.diagnostic(unknown.err);
});

test("an answer that does not come in time is an error, and one that breaks off too", async (test) => {
  const silent = await server(test, () => undefined);
  const late = await svc(["--timeout", "0.2", "db", "query", "select 1"], { environment: silent.environment });
  assert.equal(late.code, 5);
  assert.match(late.err, /did not answer within 0\.2 s.*\n {2}next: find out whether it was carried out/);
  const broken = await server(test, (_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
    response.write("[");
    setTimeout(() => response.destroy(), 20);
  });
  const half = await svc(["db", "query", "select 1"], { environment: broken.environment });
  assert.equal(half.code, 5);
  assert.match(half.err, /broke off/);
});

test("reading is tried again, as Retry-After asks", async (test) => {
  let calls = 0;
  const { environment } = await server(test, (received, response) => {
    if (++calls < 3) response.writeHead(503, { "retry-after": "0" }).end("{}");
    else json([])(received, response);
  });
  assert.equal((await svc(LIST, { environment })).code, 0);
  assert.equal(calls, 3);
});

test("writing is never tried again", async (test) => {
  for (const status of [429, 502, 503, 504]) {
    const { environment, received } = await server(test, problem(status, "unavailable", "Later."));
    const { code } = await svc(["db", "query", "insert into t values (1)"], { environment });
    assert.equal(code, 1);
    assert.equal(received.length, 1, String(status));
  }
});

test("an error of SQL says where and why", async (test) => {
  const more = { hint: "Write FROM.", line: 2, column: 5, sqlstate: "42601", sql_detail: "more" };
  const { environment } = await server(test, problem(400, "sql_error", "syntax error", more));
  const { code, err } = await svc(["db", "query", "select"], { environment });
  assert.equal(code, 1);
  assert.equal(
    err,
    "svc: syntax error\n  at 2:5\n  sqlstate: 42601\n  detail: more\n  next: Write FROM.\n  request id: request1\n",
  );
});

test("with --json errors are JSON as well", async (test) => {
  const { environment } = await server(test, problem(404, "project_not_found", "There is none."));
  const { code, err, out } = await svc(["--json", "projects", "get"], { environment });
  assert.equal(code, 4);
  assert.equal(out, "");
  assert.deepEqual(JSON.parse(err).error, {
    code: "project_not_found",
    message: "There is none.",
    next: "svc projects list, then svc link <ref>",
    request_id: "request1",
    lines: [],
    exit_code: 4,
  });
});

test("tokens and service-role keys in messages are shortened, and control characters do not reach the terminal", async (test) => {
  const message = "bad \u001b[2J svc_service_abcdef svc_pat_abcdef";
  const { environment } = await server(test, problem(400, "sql_error", message));
  const { err } = await svc(["db", "query", "select 1"], { environment });
  assert.match(err, /bad \uFFFD\[2J svc_service_… svc_pat_…/);
  const rows = await server(test, json([{ a: "\u001b]0;x\u0007" }]));
  assert.ok(!(await svc(["db", "query", "select 1"], { environment: rows.environment })).out.includes("\u001b"));
});

test("types in a terminal and JSON have no control characters either", async (test) => {
  const { environment } = await server(test, json({ types: "// \u001b[2J\u009b2J\n" }));
  const types = ["gen", "types"];
  assert.equal((await svc(types, { environment })).out, "// \u001b[2J\u009b2J\n");
  assert.equal((await svc(types, { environment, terminal: true })).out, "// \uFFFD[2J\uFFFD2J\n");
  const { out } = await svc([...types, "--json"], { environment, terminal: true });
  assert.ok(!out.includes("\u001b") && !out.includes("\u009b"), JSON.stringify(out));
  assert.deepEqual(JSON.parse(out), { types: "// \u001b[2J\u009b2J\n" });
});

test("a wrong command line repeats no token, and is JSON with --json", async () => {
  const wrong = ["projects", "get", "--token=svc_pat_hidden"];
  const { code, err, out } = await svc(["--json", ...wrong]);
  assert.equal(code, 2);
  assert.equal(out, "");
  const { error } = JSON.parse(err);
  assert.match(error.message, /unknown option/);
  assert.deepEqual([error.code, error.next, error.exit_code], ["usage", "svc --help", 2]);
  const text = await svc(wrong);
  assert.match(text.err, /unknown option/);
  for (const said of [err, text.err]) assert.ok(!said.includes("hidden"), said);
  assert.equal(JSON.parse((await svc(["--json", "db"])).err).error.message, "The command is incomplete.");
});

test("a wrong command line is 2 and names what is wrong", async () => {
  for (
    const args of [["nothing"], ["db", "quer"], ["projects", "get", "--nope"], ["projects", "create"], [
      "--api-url",
      "::",
      "projects",
      "list",
    ]]
  ) {
    const { code, err } = await svc(args, { environment: { SVC_ACCESS_TOKEN: TOKEN } });
    assert.equal(code, 2, args.join(" "));
    assert.notEqual(err, "");
  }
  const { code, out } = await svc(["db", "--help"]);
  assert.equal(code, 0);
  assert.match(out, /push/);
});

test("gen types says when the platform does not make types", async (test) => {
  const { environment } = await server(test, problem(404, "not_found", "No such path."));
  const { code, err } = await svc(["gen", "types"], { environment });
  assert.equal(code, 1);
  assert.match(err, /does not make types in typescript.*\n {2}next: upgrade the platform/);
  const other = await server(test, json({ types: "export type Database = {}\n" }));
  assert.equal((await svc(["gen", "types"], { environment: other.environment })).out, "export type Database = {}\n");
});

test("gen types asks for the language", async (test) => {
  const { environment, received } = await server(test, json({ types: "package database\n" }));
  assert.equal((await svc(["gen", "types", "--lang", "go"], { environment })).out, "package database\n");
  assert.deepEqual(received.map(({ url }) => url), ["/v1/projects/abcd1234/types/go?included_schemas=public"]);
  const { code, err } = await svc(["gen", "types", "--lang", "cobol"], { environment });
  assert.equal(code, 2);
  assert.match(err, /typescript, go, swift, python/);
});

test("what is deleted is confirmed first", async (test) => {
  const { environment, received } = await server(test, json({ name: "shop" }));
  const { code, err } = await svc(["projects", "delete", "abcd1234"], { environment });
  assert.equal(code, 6);
  assert.match(err, /next: add --yes/);
  assert.deepEqual(received.map(({ method }) => method), ["GET"]);
});

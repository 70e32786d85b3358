import assert from "node:assert/strict";
import { test } from "node:test";
import { json, server, svc } from "./running.js";

const line = (id: number, message: string) => ({
  id: String(id),
  timestamp: "2030-01-01T00:00:00Z",
  source: "edge_logs",
  severity: "warn",
  message,
  duration_ms: 1.5,
  attributes: { error: "42501" },
});

test("lines of a service are read", async (test) => {
  const { environment, received } = await server(test, json([line(1, "GET /rest/v1/todos 401")]));
  const { code, out } = await svc(["logs", "--service", "api", "--limit", "5"], { environment });
  assert.equal(code, 0);
  assert.match(received[0]!.url, /\/projects\/abcd1234\/logs\?limit=5&source=edge$/);
  assert.match(out, /warn {2}edge {10}GET \/rest\/v1\/todos 401 1\.5 ms 42501/);
});

test("a service that is none is refused before any call", async (test) => {
  const { environment, received } = await server(test, json([]));
  const { code, err } = await svc(["logs", "--service", "everything"], { environment });
  assert.equal(code, 2);
  assert.match(err, /--service is one of api, auth/);
  assert.equal(received.length, 0);
});

test("following goes on after the last line when an answer ends", async (test) => {
  let calls = 0;
  const { environment, received } = await server(test, (_, response) => {
    calls++;
    if (calls === 3) {
      response.writeHead(404, { "content-type": "application/json" })
        .end(JSON.stringify({ code: "project_not_found", message: "It is gone." }));
      return;
    }
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    response.end(`\n${JSON.stringify(line(calls, `line ${calls}`))}\n`);
  });
  const { code, out } = await svc(["logs", "--follow", "--json"], { environment });
  assert.equal(code, 4);
  assert.deepEqual(out.trim().split("\n").map((text) => JSON.parse(text).message), ["line 1", "line 2"]);
  assert.deepEqual(received.map(({ headers }) => headers["last-event-id"]), [undefined, "1", "2"]);
});

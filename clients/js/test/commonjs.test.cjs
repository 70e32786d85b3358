const assert = require("node:assert/strict");
const { test } = require("node:test");
const { createClient, FunctionsHttpError } = require("@svc/client");

test("the package can be required", () => {
  const client = createClient("https://abcd1234.data.example", "svc_anon_abc", { dbSchema: "proj_0" });
  assert.equal(client.auth.storageKey, "sb-abcd1234-auth-token");
  assert.equal(typeof FunctionsHttpError, "function");
});

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createClient, FunctionsHttpError, projectRefOf } from "@svc/client";
import { recordingServer } from "./fixture.mjs";

const SCHEMA = "proj_0123456789abcdef0123456789abcdef";
const KEY = "svc_anon_abc";
let server;

before(async () => {
  server = await recordingServer();
});
after(() => server.close());

const lastRequest = () => server.requests.at(-1);
const client = (options) => createClient(`${server.url}/p/abcd1234`, KEY, options);

test("requests go below the project's path, with the key, the schema and the project's ref", async () => {
  await client({ dbSchema: SCHEMA }).from("todos").select("id");
  const { url, headers } = lastRequest();
  assert.equal(url, "/p/abcd1234/rest/v1/todos?select=id");
  assert.equal(headers.apikey, KEY);
  assert.equal(headers["accept-profile"], SCHEMA);
  assert.equal(headers["x-project-ref"], "abcd1234");
});

test("a write names the schema as well", async () => {
  await client({ dbSchema: SCHEMA }).from("todos").insert({ id: 1 });
  assert.equal(lastRequest().headers["content-profile"], SCHEMA);
});

test("without dbSchema the schema is public", async () => {
  await client().from("todos").select();
  assert.equal(lastRequest().headers["accept-profile"], "public");
});

test("another schema can be chosen for one call", async () => {
  await client({ dbSchema: SCHEMA }).schema("app").from("todos").select();
  assert.equal(lastRequest().headers["accept-profile"], "app");
});

test("the ref is sent to every service", async () => {
  const project = client({ dbSchema: SCHEMA });
  await project.functions.invoke("hello");
  assert.equal(lastRequest().headers["x-project-ref"], "abcd1234");
  await project.storage.listBuckets();
  assert.equal(lastRequest().headers["x-project-ref"], "abcd1234");
  await project.auth.signInWithPassword({ email: "a@example.com", password: "secret" });
  assert.equal(lastRequest().headers["x-project-ref"], "abcd1234");
});

test("own headers are kept, and win over the ref of the URL", async () => {
  await client({ global: { headers: { "x-own": "1", "x-project-ref": "zzzz9999" } } }).from("todos").select();
  assert.equal(lastRequest().headers["x-own"], "1");
  assert.equal(lastRequest().headers["x-project-ref"], "zzzz9999");
});

test("an address without a ref sends none, unless it is given", async () => {
  await createClient(server.url, KEY, { dbSchema: SCHEMA }).from("todos").select();
  assert.equal(lastRequest().headers["x-project-ref"], undefined);
  await createClient(server.url, KEY, { dbSchema: SCHEMA, projectRef: "abcd1234" }).from("todos").select();
  assert.equal(lastRequest().headers["x-project-ref"], "abcd1234");
});

test("realtime connects with the key and version 1.0.0 of the protocol", async () => {
  const project = client({ dbSchema: SCHEMA });
  const connected = server.nextSocket();
  project.channel("room").subscribe();
  const { pathname, searchParams } = new URL((await connected).url, server.url);
  assert.equal(pathname, "/p/abcd1234/realtime/v1/websocket");
  assert.equal(searchParams.get("apikey"), KEY);
  assert.equal(searchParams.get("vsn"), "1.0.0");
  await project.realtime.disconnect();
});

test("projects behind one host keep their sessions apart", () => {
  const keys = ["abcd1234", "efgh5678"].map((ref) => createClient(`${server.url}/p/${ref}`, KEY).auth.storageKey);
  assert.deepEqual(keys, ["sb-abcd1234-auth-token", "sb-efgh5678-auth-token"]);
});

test("the ref is read from host names and paths, and from nothing else", () => {
  const refs = {
    "https://abcd1234.data.example": "abcd1234",
    "http://abcd1234.localhost:8000": "abcd1234",
    "http://127.0.0.1:8000/p/abcd1234": "abcd1234",
    "http://127.0.0.1:8000/p/abcd1234/": "abcd1234",
    "https://shop.example/base/p/abcd1234": "abcd1234",
    "https://abcd1234": undefined,
    "https://shop.example": undefined,
    "https://abcd1234.data.example/p/too-long-for-one": undefined,
    "http://127.0.0.1:8000": undefined,
  };
  for (const [url, ref] of Object.entries(refs)) assert.equal(projectRefOf(new URL(url)), ref, url);
});

test("what is missing or wrong is named", () => {
  const wrong = [
    [[undefined, KEY], /URL as its first argument.*NEXT_PUBLIC_SVC_URL/],
    [["", KEY], /URL as its first argument/],
    [["abcd1234", KEY], /"abcd1234" is no URL/],
    [["ftp://host", KEY], /no http or https address/],
    [["http://host", undefined], /anon key as its second argument.*NEXT_PUBLIC_SVC_ANON_KEY/],
    [["http://host", "svc_pat_abc"], /personal access token is for the Management API/],
    [["http://host", KEY, { dbSchema: "" }], /dbSchema must be the project's schema/],
    [["http://host", KEY, { projectRef: "ABC" }], /8 characters/],
  ];
  for (const [args, message] of wrong) assert.throws(() => createClient(...args), { name: "TypeError", message });
});

test("a wrong token is not repeated in the error", () => {
  assert.throws(() => createClient("http://host", "svc_pat_hidden"), (error) => !error.message.includes("hidden"));
});

test("everything else of supabase-js is exported", () => {
  assert.equal(new FunctionsHttpError({}).name, "FunctionsHttpError");
});

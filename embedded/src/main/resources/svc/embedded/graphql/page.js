"use strict";

const gateway = document.querySelector("meta[name=gateway]").content;
const element = (id) => document.getElementById(id);

const TYPE = "kind name ofType { kind name ofType { kind name ofType { kind name } } }";
const SCHEMA = `{ __schema { types { kind name description enumValues { name }
  inputFields { name type { ${TYPE} } }
  fields { name description args { name type { ${TYPE} } } type { ${TYPE} } } } } }`;

async function ask(query, variables) {
  const ref = element("ref").value.trim();
  if (!/^[a-z0-9]+$/.test(ref)) {
    throw new Error("The ref of a project has lower-case letters and digits.");
  }
  const key = element("key").value.trim();
  const token = element("token").value.trim();
  const headers = { "Content-Type": "application/json", apikey: key };
  if (token) {
    headers.Authorization = `Bearer ${token}`;
  }
  const started = performance.now();
  const response = await fetch(`${gateway}/p/${ref}/graphql/v1`, {
    method: "POST",
    headers,
    body: JSON.stringify({ query, variables }),
  });
  const text = await response.text();
  element("status").textContent = `${response.status}, ${Math.round(performance.now() - started)} ms`;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function show(value) {
  element("answer").textContent = typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

async function run() {
  try {
    const text = element("variables").value.trim();
    show(await ask(element("query").value, text ? JSON.parse(text) : {}));
  } catch (error) {
    show(String(error));
  }
}

function name(type) {
  switch (type.kind) {
    case "NON_NULL":
      return `${name(type.ofType)}!`;
    case "LIST":
      return `[${name(type.ofType)}]`;
    default:
      return type.name;
  }
}

function member(field) {
  const given = (field.args ?? []).map((one) => `${one.name}: ${name(one.type)}`).join(", ");
  return `${field.name}${given ? `(${given})` : ""}${field.type ? `: ${name(field.type)}` : ""}`;
}

function listed(type) {
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  summary.textContent = `${type.name} (${type.kind.toLowerCase()})`;
  details.append(summary);
  const list = document.createElement("ul");
  for (const field of [...(type.fields ?? []), ...(type.inputFields ?? []), ...(type.enumValues ?? [])]) {
    const item = document.createElement("li");
    item.textContent = member(field);
    list.append(item);
  }
  details.append(list);
  return details;
}

let types = [];

function list() {
  const wanted = element("filter").value.toLowerCase();
  const found = types.filter((type) => type.name.toLowerCase().includes(wanted));
  element("types").replaceChildren(...found.slice(0, 500).map(listed));
}

async function schema() {
  try {
    const answer = await ask(SCHEMA, {});
    if (!answer.data) {
      show(answer);
      return;
    }
    types = answer.data.__schema.types.filter((type) => !type.name.startsWith("__"));
    list();
  } catch (error) {
    show(String(error));
  }
}

element("run").addEventListener("click", run);
element("schema").addEventListener("click", schema);
element("filter").addEventListener("input", list);
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    run();
  }
});

import { client } from "./client.js";
import type { Database } from "./database.js";

type Todo = Database["public"]["Tables"]["todos"]["Row"];

const element = <T extends HTMLElement>(selector: string): T => document.querySelector<T>(selector)!;
const account = element<HTMLFormElement>("#account");
const todos = element<HTMLElement>("#todos");
const list = element<HTMLUListElement>("#list");
const message = element<HTMLParagraphElement>("#message");

const show = (error: { message: string } | null): void => {
  message.textContent = error?.message ?? "";
};

function item({ id, title, done }: Todo): HTMLLIElement {
  const line = document.createElement("li");
  const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: done });
  box.addEventListener("change", async () => show((await client.from("todos").update({ done: box.checked }).eq("id", id)).error));
  const label = document.createElement("label");
  // Text, never HTML: others may have written it.
  label.append(box, ` ${title}`);
  line.append(label);
  return line;
}

async function load(): Promise<void> {
  const { data, error } = await client.from("todos").select().order("id");
  show(error);
  list.replaceChildren(...(data ?? []).map(item));
}

account.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = event.submitter as HTMLButtonElement;
  const form = new FormData(account);
  const credentials = { email: String(form.get("email")), password: String(form.get("password")) };
  const { error } = button.value === "up"
    ? await client.auth.signUp(credentials)
    : await client.auth.signInWithPassword(credentials);
  show(error);
});

element<HTMLFormElement>("#new").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target as HTMLFormElement;
  const { error } = await client.from("todos").insert({ title: String(new FormData(form).get("title")) });
  if (error) return show(error);
  form.reset();
  await load();
});

element<HTMLButtonElement>("#out").addEventListener("click", async () => show((await client.auth.signOut()).error));

client.auth.onAuthStateChange((_event, session) => {
  account.hidden = session !== null;
  todos.hidden = session === null;
  // Not in the callback itself, during which supabase-js holds its lock.
  if (session) setTimeout(load);
});

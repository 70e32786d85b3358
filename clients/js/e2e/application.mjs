// An application's work with its project, the same on Node.js, on Deno and in a browser: rows, row security, a channel,
// accounts, files, a function.
import { createClient } from "@svc/client";

const needed = ({ data, error }) => {
  if (error) throw new Error(`${error.name ?? ""} ${error.message} ${JSON.stringify(error)}`);
  return data;
};

/** The text as it comes back from a channel; the library itself tries again after an error or a timeout. */
const heardInChannel = (client, text) =>
  new Promise((heard) => {
    const channel = client.channel("room", { config: { broadcast: { self: true } } });
    channel.on("broadcast", { event: "said" }, ({ payload }) => heard(payload.text));
    channel.subscribe((status) => {
      if (status === "SUBSCRIBED") channel.send({ type: "broadcast", event: "said", payload: { text } });
    });
  });

/** @returns what it saw, as JSON can say it */
export async function application({ url, key, schema, title }) {
  const client = createClient(url, key, { dbSchema: schema });
  const inserted = needed(await client.from("todos").insert({ title }).select("title").single());
  const found = needed(await client.from("todos").select("title").eq("title", title));
  const refused = await client.from("todos").insert({ title, secret: true });
  const byDefault = needed(await createClient(url, key).from("todos").select("title").eq("title", title));

  const heard = await heardInChannel(client, title);
  await client.removeAllChannels();

  const email = `${crypto.randomUUID()}@example.com`;
  const { user } = needed(await client.auth.signUp({ email, password: "correct horse battery" }));
  const own = needed(await client.from("notes").insert({ text: title }).select("owner").single());

  const path = `${user.id}/note.txt`;
  needed(await client.storage.from("files").upload(path, new Blob([title], { type: "text/plain" })));
  const file = await needed(await client.storage.from("files").download(path)).text();

  const called = needed(await client.functions.invoke("echo", { body: { title } }));
  await client.auth.signOut();
  const signedOut = needed(await client.from("notes").select("text"));
  return {
    inserted,
    found,
    refused: refused.error?.code,
    byDefault,
    heard,
    ownsItsRow: own.owner === user.id,
    file,
    called,
    signedOut,
  };
}

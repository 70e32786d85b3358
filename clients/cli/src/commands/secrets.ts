import { Session } from "../session.js";
import type { Commands } from "./command.js";
import { type SecretOptions, secretValues } from "./functions.js";

interface Secret {
  name: string;
  /** A digest. */
  value: string;
}

/** Environment variables of all functions of the project; a function's own secret of the same name wins. */
export const secrets: Commands = (program, run) => {
  const group = program.command("secrets").description("environment variables of all functions that no call returns");
  group.command("list").description("names and digests").action(run(list));
  group
    .command("set")
    .description("set secrets: one by its name, its value from standard input; or a file of KEY=VALUE lines")
    .argument("[key]")
    .option("--env-file <file>", "KEY=VALUE lines; - is standard input")
    .option("--empty", "store an empty value if standard input has none")
    .action(run(set));
  group.command("unset").description("delete secrets").argument("<key...>").action(run(unset));
};

async function list(session: Session): Promise<void> {
  const { ref, api } = await session.project();
  const found = await api.json<Secret[]>(Session.path(ref, "/secrets"));
  const rows = found.map(({ name, value }) => ({ key: name, digest: value }));
  session.console.result(rows, () => session.console.rows(rows));
}

async function set(session: Session, key: string | undefined, options: SecretOptions): Promise<void> {
  const values = await secretValues(session, "svc secrets set", key, options);
  const { ref, api } = await session.project();
  const body = Object.entries(values).map(([name, value]) => ({ name, value }));
  await api.json(Session.path(ref, "/secrets"), { method: "POST", body });
  const keys = Object.keys(values);
  session.console.result({ keys }, () => `${keys.join(", ")} set for all functions. The values cannot be read again.`);
}

async function unset(session: Session, keys: string[]): Promise<void> {
  const { ref, api } = await session.project();
  await api.json(Session.path(ref, "/secrets"), { method: "DELETE", body: keys });
  session.console.result({ keys }, () => `${keys.join(", ")} deleted for all functions.`);
}

import { ExitCode, Failure } from "../failure.js";
import { Session } from "../session.js";
import type { Commands } from "./command.js";

interface View {
  ref: string;
  name: string;
  status: string;
  organization: string;
  created_at: string;
  schema: string;
  url: string;
  anon_key?: string;
  conditions?: { type: string; status: string; reason: string; message: string }[];
}

interface Key {
  name: string;
  type: string;
  prefix: string;
  api_key?: string;
}

const CREATION_LIMIT = 120_000;

/** The projects of the token's organisation. */
export const projects: Commands = (program, run) => {
  const group = program.command("projects").description("the projects of your organisation");
  group.command("list").description("list them").action(run(list));
  group
    .command("create")
    .description("create one and wait until it is ready")
    .argument("<name>")
    .option("--no-wait", "do not wait")
    .action(run(create));
  group.command("get").description("show one").argument("[ref]").action(run(get));
  group
    .command("delete")
    .description("delete one; its deletion policy decides what becomes of its data")
    .argument("<ref>")
    .option("--yes", "do not ask")
    .action(run(remove));
  group
    .command("keys")
    .description("show its keys")
    .argument("[ref]")
    .option("--reveal", "also the service-role key, which reads and writes everything")
    .action(run(keys));
};

async function list(session: Session): Promise<void> {
  const found = await (await session.api()).json<View[]>("/projects");
  session.console.result(
    found,
    () =>
      session.console.rows(
        found.map(({ ref, name, status, created_at }) => ({ ref, name, status, created: created_at })),
      ),
  );
}

async function create(session: Session, name: string, options: { wait: boolean }): Promise<void> {
  const api = await session.api();
  const timeout = CREATION_LIMIT;
  const { project } = await api.json<{ project: View }>("/projects", { method: "POST", body: { name }, timeout });
  let made = project;
  const limit = performance.now() + CREATION_LIMIT;
  while (options.wait && made.status === "COMING_UP" && performance.now() < limit) {
    session.console.progress(`${made.ref} is being made ...`);
    await new Promise((resume) => setTimeout(resume, 1000));
    made = await api.json<View>(Session.path(made.ref));
  }
  if (options.wait && made.status !== "ACTIVE_HEALTHY") {
    throw new Failure(ExitCode.REFUSED, `The project ${made.ref} was created and is ${made.status}.`, {
      code: "project_not_ready",
      next: `svc projects get ${made.ref}`,
    });
  }
  session.console.result(made, () => description(made));
}

async function get(session: Session, ref: string | undefined): Promise<void> {
  const found = await (await session.api()).json<View>(Session.path(ref ?? (await session.ref())));
  session.console.result(found, () => description(found));
}

async function remove(session: Session, ref: string, options: { yes?: boolean }): Promise<void> {
  const api = await session.api();
  const { name } = await api.json<View>(Session.path(ref));
  await session.console.confirm(`This deletes the project ${name} (${ref})`, ref, options.yes ?? false);
  const deleted = await api.json<View>(Session.path(ref), { method: "DELETE" });
  session.console.result(deleted, () => `The project ${name} (${ref}) is being deleted.`);
}

async function keys(session: Session, ref: string | undefined, options: { reveal?: boolean }): Promise<void> {
  const path = Session.path(ref ?? (await session.ref()), "/api-keys");
  const query = { reveal: options.reveal ? "true" : undefined };
  const found = await (await session.api()).json<Key[]>(path, { query });
  session.console.result(
    found,
    () =>
      session.console.rows(
        found.map(({ name, type, prefix, api_key }) => ({ name, type, key: api_key ?? `${prefix}… (--reveal)` })),
      ),
  );
}

function description(project: View): string {
  const lines = (["ref", "name", "status", "organization", "created_at", "url", "schema", "anon_key"] as const)
    .filter((name) => project[name] !== undefined)
    .map((name) => `${name.padEnd(14)}${project[name]}`);
  const failing = (project.conditions ?? []).filter(({ status }) => status !== "True");
  return [...lines, ...failing.map(({ type, reason, message }) => `${type.padEnd(14)}${reason}: ${message}`)].join(
    "\n",
  );
}

import { ExitCode, Failure } from "../failure.js";
import type { ManagementApi } from "../management_api.js";
import { Session } from "../session.js";
import { readIfThere, Workspace } from "../project/workspace.js";
import type { Commands } from "./command.js";

interface Branch {
  id: string;
  name: string;
  project_ref: string;
  parent_project_ref: string;
  status: string;
  status_message?: string;
  created_at: string;
}

interface Done {
  migrations?: string[];
  branch: Branch;
}

/** The platform answers after 45 seconds, also when its work goes on. */
const ANSWER_LIMIT = 120_000;
const BUILD_LIMIT = 600_000;

/** Branches of the project: projects with its migrations. */
export const branches: Commands = (program, run) => {
  const group = program.command("branches").description("branches of the project");
  group.command("list").description("list them").action(run(list));
  group
    .command("create")
    .description("create one with the project's migrations, then run the folder's seed.sql in it")
    .argument("<name>")
    .option("--with-data", "begin with the project's rows")
    .option("--no-seed", "do not run seed.sql")
    .action(run(create));
  group
    .command("delete")
    .description("delete one with its data")
    .argument("<name>", "its name, id or ref")
    .option("--yes", "do not ask")
    .action(run(remove));
  group
    .command("merge")
    .description("apply its new migrations to the project: all or, on a conflict, none")
    .argument("<name>")
    .option("--dry-run", "print them")
    .action(run(merge));
  group
    .command("rebase")
    .description("apply to it what the project has got since")
    .argument("<name>")
    .action(run(rebase));
  group
    .command("reset")
    .description("drop everything in it and apply the project's migrations again")
    .argument("<name>")
    .option("--no-seed", "do not run seed.sql")
    .option("--yes", "do not ask")
    .action(run(reset));
};

async function list(session: Session): Promise<void> {
  const { ref, api } = await session.project();
  const found = await branchesOf(api, ref);
  session.console.result(
    found,
    () =>
      session.console.rows(
        found.map(({ name, project_ref, status, created_at }) => ({
          name,
          ref: project_ref,
          status,
          created: created_at,
        })),
      ),
  );
}

const branchesOf = (api: ManagementApi, ref: string) => api.json<Branch[]>(Session.path(ref, "/branches"));

async function create(session: Session, name: string, options: { withData?: boolean; seed: boolean }): Promise<void> {
  const { ref, api } = await session.project();
  const body = { branch_name: name, with_data: options.withData ?? false, ...(await seed(session, options.seed)) };
  session.console.progress(`creating ${name} ...`);
  const made = await api.json<Branch>(Session.path(ref, "/branches"), { method: "POST", body, timeout: ANSWER_LIMIT });
  await built(session, api, made);
}

/** The text of the folder's seed.sql, where there is a folder with one. */
async function seed(session: Session, wanted: boolean): Promise<{ seed?: string }> {
  const workspace = wanted ? await Workspace.find(session.workdir) : undefined;
  const text = workspace === undefined ? undefined : await readIfThere(workspace.seed);
  return text === undefined || text.trim() === "" ? {} : { seed: text };
}

async function remove(session: Session, name: string, options: { yes?: boolean }): Promise<void> {
  const { api, branch } = await chosen(session, name);
  await session.console.confirm(
    `This deletes the branch ${branch.name} (${branch.project_ref}) with its data`,
    branch.name,
    options.yes ?? false,
  );
  await api.json(path(branch), { method: "DELETE" });
  session.console.result(branch, () => `The branch ${branch.name} is being deleted.`);
}

async function merge(session: Session, name: string, options: { dryRun?: boolean }): Promise<void> {
  const { api, branch } = await chosen(session, name);
  if (options.dryRun ?? false) {
    const sql = await (await api.send(path(branch, "/diff"), { headers: { accept: "text/plain" } })).text();
    return session.console.result({ sql }, () => sql.trimEnd() || "Nothing to merge.");
  }
  const { migrations = [] } = await api.json<Done>(path(branch, "/merge"), { method: "POST", timeout: ANSWER_LIMIT });
  session.console.result(
    { migrations },
    () =>
      migrations.length === 0
        ? "Nothing to merge."
        : `Applied to ${branch.parent_project_ref}: ${migrations.join(", ")}`,
  );
}

async function rebase(session: Session, name: string): Promise<void> {
  const { api, branch } = await chosen(session, name);
  const done = await api.json<Done>(path(branch, "/push"), { method: "POST", timeout: ANSWER_LIMIT });
  await built(session, api, done.branch);
}

async function reset(session: Session, name: string, options: { seed: boolean; yes?: boolean }): Promise<void> {
  const { api, branch } = await chosen(session, name);
  await session.console.confirm(
    `This drops all tables and functions of the branch ${branch.name}`,
    branch.name,
    options.yes ?? false,
  );
  const body = await seed(session, options.seed);
  const done = await api.json<Done>(path(branch, "/reset"), { method: "POST", body, timeout: ANSWER_LIMIT });
  await built(session, api, done.branch);
}

const path = ({ id }: Branch, rest = ""): string => `/branches/${encodeURIComponent(id)}${rest}`;

async function chosen(session: Session, name: string): Promise<{ api: ManagementApi; branch: Branch }> {
  const { ref, api } = await session.project();
  const branch = (await branchesOf(api, ref)).find((one) => [one.name, one.id, one.project_ref].includes(name));
  if (branch !== undefined) return { api, branch };
  throw new Failure(ExitCode.NO_PROJECT, `The project ${ref} has no branch ${name}.`, {
    code: "branch_not_found",
    next: "svc branches list",
  });
}

/** Waits until the branch has its migrations, and says how that ended. */
async function built(session: Session, api: ManagementApi, made: Branch): Promise<void> {
  let branch = made;
  const limit = performance.now() + BUILD_LIMIT;
  while (["CREATING_PROJECT", "RUNNING_MIGRATIONS"].includes(branch.status) && performance.now() < limit) {
    session.console.progress(`${branch.name} is ${branch.status} ...`);
    await new Promise((resume) => setTimeout(resume, 1000));
    const all = await branchesOf(api, branch.parent_project_ref);
    branch = all.find(({ id }) => id === branch.id) ?? { ...branch, status: "DELETED" };
  }
  if (branch.status !== "MIGRATIONS_PASSED") {
    throw new Failure(
      ExitCode.REFUSED,
      `The branch ${branch.name} is ${branch.status}. ${branch.status_message ?? ""}`,
      {
        code: "branch_failed",
        next: `svc branches reset ${branch.name}, or svc branches delete ${branch.name}`,
      },
    );
  }
  session.console.result(branch, () => `${branch.name} is ready: svc --project-ref ${branch.project_ref} status`);
}

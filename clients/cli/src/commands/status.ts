import { Session } from "../session.js";
import { Workspace } from "../project/workspace.js";
import type { Commands } from "./command.js";
import { historyOf } from "./migrations.js";

interface View {
  name: string;
  status: string;
  url: string;
  conditions?: { type: string; status: string; reason: string; message: string }[];
}

/** Where one stands: the control plane, the project, and what of the folder is not applied. */
export const status: Commands = (program, run) => {
  program.command("status").description("the project's state, and what of the folder is not applied").action(run(show));
};

async function show(session: Session): Promise<void> {
  const { ref, api } = await session.project();
  const workspace = await Workspace.find(session.workdir);
  const [project, functions, history] = await Promise.all([
    api.json<View>(Session.path(ref)),
    api.json<{ name: string; status: string }[]>(Session.path(ref, "/functions")).catch(missingRight),
    historyOf(api, ref).catch(missingRight),
  ]);
  const applied = new Set(history?.filter(({ state }) => state === "applied").map(({ version }) => version));
  const files = (await workspace?.migrationFiles()) ?? [];
  const pending = history === undefined
    ? undefined
    : files.filter(({ version }) => !applied.has(version)).map(({ file }) => file);
  const failing = (project.conditions ?? []).filter((condition) => condition.status !== "True");
  const found = {
    api_url: api.url,
    ref,
    name: project.name,
    status: project.status,
    url: project.url,
    folder: workspace?.folder,
    pending_migrations: pending,
    functions: functions?.map(({ name, status }) => ({ name, status })),
    conditions: failing,
  };
  session.console.result(found, () =>
    [
      `control plane  ${api.url}`,
      `project        ${project.name} (${ref}) ${project.status}`,
      `url            ${project.url}`,
      `folder         ${workspace?.folder ?? "(none)"}`,
      `migrations     ${
        pending === undefined
          ? "(the token may not read them)"
          : pending.length === 0
          ? "none pending"
          : `pending: ${pending.join(", ")}`
      }`,
      `functions      ${
        functions === undefined
          ? "(the token may not read them)"
          : functions.map(({ name, status }) => `${name} ${status}`).join(", ") || "(none)"
      }`,
      ...failing.map(({ type, reason, message }) => `${type.padEnd(14)} ${reason}: ${message}`),
    ].join("\n"));
}

/** A token needs a permission for each part; without it the others are shown nevertheless. */
function missingRight(error: unknown): undefined {
  if (typeof error === "object" && error !== null && "status" in error && error.status === 403) return undefined;
  throw error;
}

import { readFile } from "node:fs/promises";
import { Problem } from "../management_api.js";
import { isRef, Workspace } from "../project/workspace.js";
import { ExitCode, Failure, usage } from "../failure.js";
import { controlPlane, Session } from "../session.js";
import type { Commands } from "./command.js";

/** Signing in, and which project a folder belongs to. */
export const account: Commands = (program, run) => {
  program
    .command("login")
    .description("keep a personal access token, read from standard input or asked for; never an argument")
    .option("--token-file <file>", "read the token from a file")
    .action(run(login));
  program.command("logout").description("forget the token of a control plane").action(run(logout));
  program.command("init").description("make a folder svc/ for migrations and functions").action(run(init));
  program
    .command("link")
    .description("choose the project of this folder")
    .argument("[ref]", "the project's ref; --project-ref is the same")
    .action(run(link));
};

async function login(session: Session, options: { tokenFile?: string }): Promise<void> {
  const { console, credentials, environment } = session;
  const given = session.options.apiUrl ?? environment["SVC_API_URL"] ?? (await credentials.defaultUrl());
  if (given === undefined) throw usage("Which control plane?", "svc login --api-url https://<control plane>/v1");
  const url = controlPlane(given);
  const token = (
    options.tokenFile !== undefined
      ? await readFile(options.tokenFile, "utf8")
      : await console.secret(`Personal access token for ${url}: `)
  ).trim();
  if (token === "") throw usage("There is no token on standard input.", "svc login < token-file");
  if (!token.startsWith("svc_pat_")) {
    throw new Failure(ExitCode.UNAUTHORIZED, "That is no personal access token: those begin with svc_pat_.", {
      code: "token_malformed",
      next: "make one in the console, or with POST /v1/tokens",
    });
  }
  const { hostname, protocol } = new URL(url);
  if (protocol === "http:" && !/^(localhost|127\.|\[::1\])/.test(hostname) && !hostname.endsWith(".localhost")) {
    console.note(`warning: ${url} is not encrypted; others on the way can read the token.`);
  }
  const organizations = await session.apiOf(url, token).json<{ slug: string }[]>("/organizations");
  await credentials.store(url, token);
  const organization = organizations[0]?.slug;
  console.result(
    { url, organization, file: credentials.file },
    () => `Signed in to ${url}, organisation ${organization}.`,
  );
}

async function logout(session: Session): Promise<void> {
  const { console, credentials, environment } = session;
  const given = session.options.apiUrl ?? environment["SVC_API_URL"] ?? (await credentials.defaultUrl());
  const url = given === undefined ? undefined : controlPlane(given);
  const removed = url !== undefined && (await credentials.remove(url));
  console.result(
    { url, removed },
    () =>
      removed
        ? `The token for ${url} is forgotten. It stays valid: revoke it with DELETE /v1/tokens/{id}.`
        : "There was no token.",
  );
}

async function init(session: Session): Promise<void> {
  const { folder } = await Workspace.create(session.workdir);
  session.console.result({ folder }, () => `${folder} is there. Next: svc link <ref>`);
}

async function link(session: Session, argument: string | undefined): Promise<void> {
  const ref = argument ?? session.options.projectRef;
  if (ref === undefined || !isRef(ref)) {
    throw usage("Which project? A ref has a letter and 7 letters or digits.", "svc projects list");
  }
  const workspace = await session.workspace();
  const api = await session.api();
  let name: string;
  try {
    ({ name } = await api.json<{ name: string }>(Session.path(ref)));
  } catch (error) {
    if (error instanceof Problem && error.status === 404) {
      throw new Failure(ExitCode.NO_PROJECT, error.message, { ...error.details, next: "svc projects list" });
    }
    throw error;
  }
  await workspace.writeLink({ ref, url: api.url });
  session.console.result(
    { ref, name, folder: workspace.folder },
    () => `${workspace.folder} is linked to ${name} (${ref}).`,
  );
}

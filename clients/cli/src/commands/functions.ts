import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { counted } from "../console.js";
import { ExitCode, Failure, usage } from "../failure.js";
import { Problem } from "../management_api.js";
import { readFunction } from "../project/function_source.js";
import { writeNew } from "../project/workspace.js";
import { Session } from "../session.js";
import type { Commands } from "./command.js";
import { serveFunctions } from "./functions_serve.js";
import { functionLogs } from "./logs.js";

interface View {
  name: string;
  status: string;
  version?: number;
  verify_jwt: boolean;
  url?: string;
  updated_at?: number;
}

interface Secret {
  functionName: string;
  key: string;
  status: string;
  digest?: string;
}

/** A deployment bundles for 30 s, starts for 10 s and rolls out for 30 s at most, behind others. */
const DEPLOY_TIMEOUT = 180_000;

const TEMPLATE = `export default async (request: Request): Promise<Response> => {
  const { name } = request.method === "POST" ? await request.json() : { name: "world" };
  return Response.json({ message: \`Hello \${name}\` });
};
`;

/** Edge functions, their secrets and logs. */
export const functions: Commands = (program, run) => {
  const group = program.command("functions").alias("function").description("edge functions");
  group.command("new").description("make a function in the folder").argument("<name>").action(run(create));
  group.command("list").description("list the deployed functions").action(run(list));
  group
    .command("serve")
    .description("run the folder's functions on this machine, with Deno; changed files are loaded anew")
    .option("--port <number>", "the port on 127.0.0.1", "8790")
    .option("--env-file <file>", "variables of the functions")
    .action(run(serveFunctions));
  group
    .command("deploy")
    .description("deploy functions of the folder; all without names")
    .argument("[name...]")
    .option("--no-verify-jwt", "let the function check its callers itself")
    .option("--import-map <file>", "an import map for them")
    .action(run(deploy));
  group
    .command("delete")
    .description("delete a deployed function, its versions, secrets and logs")
    .argument("<name>")
    .option("--yes", "do not ask")
    .action(run(remove));
  group
    .command("logs")
    .description("the log of a function")
    .argument("<name>")
    .option("--since <time>", "from this time on, such as 2030-01-31T12:00:00Z")
    .option("--limit <number>", "at most so many lines (100)")
    .option("-f, --follow", "go on with new lines until interrupted")
    .action(run(functionLogs));
  const secrets = group.command("secrets").description("environment variables of a function that no call returns");
  secrets.command("list").description("names and digests").argument("[function]").action(run(listSecrets));
  secrets
    .command("set")
    .description("set secrets: one by its name, its value from standard input; or a file of KEY=VALUE lines")
    .argument("<function>")
    .argument("[key]")
    .option("--env-file <file>", "KEY=VALUE lines; - is standard input")
    .option("--empty", "store an empty value if standard input has none")
    .action(run(setSecrets));
  secrets
    .command("unset")
    .description("delete secrets")
    .argument("<function>")
    .argument("<key...>")
    .action(run(unsetSecrets));
};

async function create(session: Session, name: string): Promise<void> {
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,62}$/.test(name) || ["deploy", "secrets"].includes(name)) {
    throw usage(
      `${JSON.stringify(name)} is no name of a function.`,
      "a letter, then up to 62 letters, digits, - and _",
    );
  }
  const workspace = await session.workspace();
  const folder = join(workspace.functions, name);
  await mkdir(folder, { recursive: true });
  const file = join(folder, "index.ts");
  if (!(await writeNew(file, TEMPLATE))) throw new Failure(ExitCode.REFUSED, `${file} is there already.`);
  session.console.result({ file }, () => `${file}\nNext: svc functions deploy ${name}`);
}

async function list(session: Session): Promise<void> {
  const { ref, api } = await session.project();
  const found = await api.json<View[]>(Session.path(ref, "/functions"));
  session.console.result(
    found,
    () =>
      session.console.rows(
        found.map(({ name, status, version, verify_jwt, url }) => ({ name, status, version, verify_jwt, url })),
      ),
  );
}

async function deploy(
  session: Session,
  given: string[],
  options: { verifyJwt: boolean; importMap?: string },
): Promise<void> {
  const { ref, api } = await session.project();
  const workspace = await session.workspace();
  const all = await workspace.functionNames();
  const unknown = given.find((name) => !all.includes(name));
  if (unknown !== undefined) {
    throw usage(`There is no folder ${join(workspace.functions, unknown)}.`, `svc functions new ${unknown}`);
  }
  const names = given.length > 0 ? given : all;
  if (names.length === 0) throw usage(`There are no functions in ${workspace.functions}.`, "svc functions new hello");
  const deployed: View[] = [];
  let failed: { name: string; failure: Failure } | undefined;
  for (const name of names) {
    const settings = await workspace.functionSettings(name);
    if (settings.enabled === false && given.length === 0) {
      session.console.note(`${name} is not enabled in config.toml`);
      continue;
    }
    if (!options.verifyJwt) settings.verifyJwt = false;
    if (options.importMap !== undefined) settings.importMap = join(session.workdir, options.importMap);
    try {
      const { deployment, skipped } = await readFunction(workspace, name, settings);
      for (const line of skipped) session.console.note(`warning: not sent: ${line}`);
      session.console.progress(`deploying ${name} (${counted(Object.keys(deployment.files).length + 1, "file")}) ...`);
      const path = Session.path(ref, "/functions/deploy");
      deployed.push(await api.json<View>(path, { method: "POST", body: deployment, timeout: DEPLOY_TIMEOUT }));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // The other functions do not depend on it; an unreachable platform or a wrong token concerns all.
      if (!(error instanceof Problem) || error.exitCode !== ExitCode.REFUSED) throw error;
      if (failed !== undefined) session.console.failure(failed.failure);
      failed = { name, failure: new Failure(error.exitCode, `${name}: ${error.message}`, error.details) };
    }
  }
  session.console.result(
    deployed,
    () =>
      deployed.map(({ name, version, status, url }) => `${name} version ${version} ${status} ${url ?? ""}`).join("\n"),
  );
  if (failed !== undefined) throw failed.failure;
}

async function remove(session: Session, name: string, options: { yes?: boolean }): Promise<void> {
  const { ref, api } = await session.project();
  await session.console.confirm(
    `This deletes the function ${name} of ${ref} with its secrets`,
    name,
    options.yes ?? false,
  );
  const path = Session.path(ref, `/functions/${encodeURIComponent(name)}`);
  const deleted = await api.json<View>(path, { method: "DELETE" });
  session.console.result(deleted, () => `The function ${name} is deleted.`);
}

async function listSecrets(session: Session, functionName: string | undefined): Promise<void> {
  const { ref, api } = await session.project();
  const found = await api.json<Secret[]>(Session.path(ref, "/functions/secrets"), { query: { functionName } });
  session.console.result(
    found,
    () =>
      session.console.rows(
        found.map(({ functionName, key, status, digest }) => ({ function: functionName, key, status, digest })),
      ),
  );
}

async function setSecrets(
  session: Session,
  functionName: string,
  key: string | undefined,
  options: SecretOptions,
): Promise<void> {
  const values = await secretValues(session, `svc functions secrets set ${functionName}`, key, options);
  const { ref, api } = await session.project();
  for (const [name, value] of Object.entries(values)) {
    session.console.progress(`setting ${name} ...`);
    await api.json(Session.path(ref, "/functions/secrets"), {
      method: "PUT",
      body: { functionName, key: name, value },
    });
  }
  const names = Object.keys(values);
  session.console.result(
    { functionName, keys: names },
    () => `${names.join(", ")} of ${functionName} set. The values cannot be read again.`,
  );
}

export interface SecretOptions {
  envFile?: string;
  /** Whether an empty value is meant. */
  empty?: boolean;
}

/** The values of one key or of a file by their names; `command` is the command that the next step repeats. */
export async function secretValues(
  session: Session,
  command: string,
  key: string | undefined,
  { envFile: file, empty = false }: SecretOptions,
): Promise<Record<string, string>> {
  if (key?.includes("=")) {
    throw usage(
      "A value must not be an argument: every process of this machine can read arguments.",
      `printf %s "$VALUE" | ${command} ${key.split("=")[0]}`,
    );
  }
  if ((key === undefined) === (file === undefined)) throw usage("Give either the name of a secret or --env-file.");
  if (key !== undefined) {
    const value = await session.console.secret(`Value of ${key}: `);
    // A variable that is not set, or /dev/null: a function would start with the empty value and fail where it uses it.
    if (value === "" && !empty) {
      throw usage(
        `There is no value of ${key}: the input is empty.`,
        `printf %s "$VALUE" | ${command} ${key}, or add --empty`,
      );
    }
    return { [key]: value };
  }
  const text = file === "-" ? await session.console.input() : await readFile(file!, "utf8");
  const values = parseEnv(text) as Record<string, string>;
  if (Object.keys(values).length === 0) throw usage("There are no KEY=VALUE lines.");
  return values;
}

async function unsetSecrets(session: Session, functionName: string, keys: string[]): Promise<void> {
  const { ref, api } = await session.project();
  for (const key of keys) {
    const path = `/functions/secrets/${encodeURIComponent(functionName)}/${encodeURIComponent(key)}`;
    await api.json(Session.path(ref, path), { method: "DELETE" });
  }
  session.console.result({ functionName, keys }, () => `${keys.join(", ")} of ${functionName} deleted.`);
}

import { Command, CommanderError } from "commander";
import { account } from "./commands/account.js";
import { branches } from "./commands/branches.js";
import type { Commands, Run } from "./commands/command.js";
import { completion } from "./commands/completion.js";
import { database } from "./commands/database.js";
import { functions } from "./commands/functions.js";
import { generate } from "./commands/generate.js";
import { logs } from "./commands/logs.js";
import { migrations } from "./commands/migrations.js";
import { projects } from "./commands/projects.js";
import { secrets } from "./commands/secrets.js";
import { status } from "./commands/status.js";
import { storage } from "./commands/storage.js";
import { Console, type Environment, type Streams } from "./console.js";
import { ExitCode, Failure, usage, withoutSecrets } from "./failure.js";
import { type GlobalOptions, Session } from "./session.js";

const GROUPS: readonly Commands[] = [
  account,
  projects,
  branches,
  database,
  migrations,
  functions,
  secrets,
  generate,
  storage,
  logs,
  status,
  completion,
];

export interface Invocation {
  args: readonly string[];
  environment: Environment;
  directory: string;
  streams: Streams;
}

/** The tree of all commands. */
export function commandTree(run: Run): Command {
  const program = new Command("svc")
    .description("The command line of svc")
    .version("0.1.0")
    .option("--api-url <address>", "the control plane (SVC_API_URL)")
    .option("--project-ref <ref>", "the project (SVC_PROJECT_REF; else the one this folder is linked to)")
    .option("--workdir <folder>", "where to look for svc/ or supabase/")
    .option("--timeout <seconds>", "how long to wait for an answer (60)")
    .option("--json", "results and errors as JSON")
    .option("--quiet", "no progress")
    .option("--verbose", "print each call to standard error")
    .showHelpAfterError("(svc --help shows all commands)")
    .configureHelp({ minWidthToWrap: 12 })
    .exitOverride();
  for (const group of GROUPS) group(program, run);
  inherit(program);
  return program;
}

/** Every command ends by an exception, and takes the options of all commands in any place. */
function inherit(command: Command): void {
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    inherit(child);
  }
}

/** Runs the program and says how it ended; never throws. */
export async function runProgram({ args, environment, directory, streams }: Invocation): Promise<ExitCode> {
  const console = new Console(streams);
  // Known before the command line is parsed: its errors are JSON as well.
  console.json = args.includes("--json");
  const run: Run = (work) => async (...args) => {
    const command = args.at(-1) as Command;
    const options = command.optsWithGlobals() as GlobalOptions;
    console.json = options.json ?? false;
    console.quiet = options.quiet ?? false;
    await work(new Session(console, environment, options, directory), ...args.slice(0, -1));
  };
  const program = commandTree(run);
  const output = {
    writeOut: (text: string) => void streams.stdout.write(text),
    writeErr: (text: string) => {
      if (!console.json) streams.stderr.write(withoutSecrets(text));
    },
  };
  const everywhere = (command: Command): void => {
    command.configureOutput(output).exitOverride();
    command.commands.forEach(everywhere);
  };
  everywhere(program);
  try {
    await program.parseAsync([...args], { from: "user" });
    return ExitCode.OK;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return ExitCode.OK;
      if (console.json) console.failure(wrongCommandLine(error));
      return ExitCode.USAGE;
    }
    const failure = error instanceof Failure ? error : unexpected(error);
    console.failure(failure);
    return failure.exitCode;
  }
}

function wrongCommandLine({ code, message }: CommanderError): Failure {
  const text = code === "commander.help" ? "The command is incomplete." : message.replace(/^error: /, "");
  return usage(text, "svc --help");
}

function unexpected(error: unknown): Failure {
  const file = error as NodeJS.ErrnoException;
  if (file.code !== undefined && file.path !== undefined) {
    return new Failure(ExitCode.REFUSED, file.message, { code: file.code });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new Failure(ExitCode.REFUSED, `Unexpected: ${message}`, {
    code: "defect",
    next: "report this with the command",
  });
}

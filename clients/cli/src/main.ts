#!/usr/bin/env node
import { ExitCode } from "./failure.js";
import { runProgram } from "./program.js";

// Node.js 20 warns about its own functions that later versions have as they are.
process.removeAllListeners("warning");
process.on("warning", (warning) => {
  if (warning.name !== "ExperimentalWarning") process.stderr.write(`${warning.name}: ${warning.message}\n`);
});
process.on("SIGINT", () => {
  // The terminal shows ^C at the cursor: the shell goes on below it.
  if (process.stderr.isTTY) process.stderr.write("\n");
  process.exit(ExitCode.INTERRUPTED);
});
// The reader of a pipe may have enough, as head does.
process.stdout.on(
  "error",
  (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? ExitCode.OK : ExitCode.REFUSED),
);

process.exitCode = await runProgram({
  args: process.argv.slice(2),
  environment: process.env,
  directory: process.cwd(),
  streams: process,
});

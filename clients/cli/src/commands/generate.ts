import { writeFile } from "node:fs/promises";
import { Option } from "commander";
import { ExitCode, Failure } from "../failure.js";
import { Problem } from "../management_api.js";
import { Session } from "../session.js";
import type { Commands } from "./command.js";

/** As the Management API names them. */
const languages = ["typescript", "go", "swift", "python"];

/** Code that follows from the project's schema. */
export const generate: Commands = (program, run) => {
  const group = program.command("gen").description("code from the project's schema");
  group
    .command("types")
    .description(
      "print the types of the project's tables: for createClient<Database> in TypeScript, or for other languages",
    )
    .addOption(new Option("--lang <language>", "the language").choices(languages).default("typescript"))
    .option("--schema <names>", "the schemas, with commas", "public")
    .option("-o, --output <file>", "write to a file")
    .action(run(types));
};

async function types(session: Session, options: { lang: string; schema: string; output?: string }): Promise<void> {
  const { ref, api } = await session.project();
  let text: string;
  try {
    ({ types: text } = await api.json<{ types: string }>(Session.path(ref, `/types/${options.lang}`), {
      query: { included_schemas: options.schema },
    }));
  } catch (error) {
    if (error instanceof Problem && error.details.code === "not_found") {
      throw new Failure(
        ExitCode.REFUSED,
        `${api.url} does not make types in ${options.lang}: it is older than this command.`,
        {
          code: "types_not_supported",
          next: "upgrade the platform",
        },
      );
    }
    throw error;
  }
  if (options.output === undefined) return session.console.raw("types", text);
  await writeFile(options.output, text);
  session.console.result({ file: options.output }, () => options.output!);
}

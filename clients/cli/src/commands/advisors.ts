import { ExitCode, Failure, usage } from "../failure.js";
import { Session } from "../session.js";

interface Lint {
  name: string;
  level: string;
  detail: string;
  remediation: string;
}

const KINDS = ["security", "performance"];
const LEVELS = ["INFO", "WARN", "ERROR"];

/** `svc db advisors`: what is unsafe or slow in the project's database. */
export async function showAdvisors(session: Session, options: { type?: string; failOn?: string }): Promise<void> {
  if (options.type !== undefined && !KINDS.includes(options.type)) throw usage("--type is security or performance.");
  const level = options.failOn?.toUpperCase();
  if (level !== undefined && !LEVELS.includes(level)) throw usage("--fail-on is info, warn or error.");
  const { ref, api } = await session.project();
  const kinds = options.type === undefined ? KINDS : [options.type];
  const found = await Promise.all(
    kinds.map(async (kind) => (await api.json<{ lints: Lint[] }>(Session.path(ref, `/advisors/${kind}`))).lints),
  );
  const lints = found.flat();
  session.console.result(
    { lints },
    () => session.console.rows(lints.map(({ level, name, detail }) => ({ level, name, detail }))),
  );
  const failing = level === undefined
    ? []
    : lints.filter((lint) => LEVELS.indexOf(lint.level) >= LEVELS.indexOf(level));
  if (failing.length > 0) {
    throw new Failure(ExitCode.REFUSED, `${failing.length} findings are ${level} or worse.`, {
      code: "advisors",
      next: `${failing[0]!.name}: ${failing[0]!.remediation}`,
    });
  }
}

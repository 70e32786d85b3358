import type { Command } from "commander";
import { usage } from "../failure.js";
import type { Session } from "../session.js";
import type { Commands } from "./command.js";

/** Scripts by which a shell completes the program's commands and options. */
export const completion: Commands = (program, run) => {
  program
    .command("completion")
    .description("print a script for the shell: bash, zsh or fish")
    .argument("<shell>")
    .action(run(async (session: Session, shell: string) => {
      const script = SCRIPTS[shell];
      if (script === undefined) throw usage(`There is no script for ${shell}.`, "svc completion bash | zsh | fish");
      session.console.raw("script", script(linesOf(program)));
    }));
};

/** A command's words, and what can follow them. */
interface Line {
  words: string;
  next: string[];
}

function linesOf(program: Command): Line[] {
  const options = (command: Command) => command.options.flatMap(({ long }) => (long ? [long] : []));
  const global = options(program);
  const walk = (command: Command, words: string[]): Line[] => {
    const own = command === program ? [] : options(command);
    const next = [...command.commands.map((child) => child.name()), ...own, ...global].sort();
    return [
      { words: words.join(" "), next },
      ...command.commands.flatMap((child) => walk(child, [...words, child.name()])),
    ];
  };
  return walk(program, ["svc"]);
}

const cases = (lines: readonly Line[]): string =>
  lines.map(({ words, next }) => `    "${words}") candidates="${next.join(" ")}" ;;`).join("\n");

/** Finds the command among the words before the cursor: options are passed over. */
const shellFunction = (lines: readonly Line[]): string =>
  `_svc_candidates() {
  local command="svc" word candidates
  for word in "$@"; do
    case "$word" in -*) continue ;; esac
    case "$command $word" in
${lines.slice(1).map(({ words }) => `      "${words}") command="${words}" ;;`).join("\n")}
    esac
  done
  case "$command" in
${cases(lines)}
  esac
  printf '%s' "$candidates"
}`;

const SCRIPTS: Record<string, (lines: readonly Line[]) => string> = {
  bash: (lines) =>
    `# source <(svc completion bash)
${shellFunction(lines)}
_svc() {
  local current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=($(compgen -W "$(_svc_candidates "\${COMP_WORDS[@]:1:COMP_CWORD-1}")" -- "$current"))
}
complete -o default -F _svc svc`,
  zsh: (lines) =>
    `#compdef svc
# source <(svc completion zsh)
${shellFunction(lines)}
_svc() {
  compadd -- \${=$(_svc_candidates "\${(@)words[2,CURRENT-1]}")}
}
compdef _svc svc`,
  fish: (lines) =>
    `# svc completion fish | source
function __svc_candidates
  set -l command svc
  for word in (commandline -opc)[2..]
    string match -q -- '-*' $word; and continue
    switch "$command $word"
${lines.slice(1).map(({ words }) => `      case '${words}'\n        set command '${words}'`).join("\n")}
    end
  end
  switch $command
${lines.map(({ words, next }) => `    case '${words}'\n      printf '%s\\n' ${next.join(" ")}`).join("\n")}
  end
end
complete -c svc -f -a '(__svc_candidates)'`,
};

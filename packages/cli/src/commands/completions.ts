import type { CommandTable, RunCommand } from "../command.ts";
import { UsageError } from "../usage-error.ts";
import { toFishScript } from "./completions/fish-script.ts";
import { listRoutes, type Route } from "./completions/list-routes.ts";
import { toBashScript, toZshScript } from "./completions/shell-script.ts";

const scripts: ReadonlyMap<string, (routes: readonly Route[]) => string> = new Map([
  ["bash", toBashScript],
  ["zsh", toZshScript],
  ["fish", toFishScript],
]);

/** `haft completions`: prints a completion script that is generated from the declarations. */
export function printCompletions(commands: CommandTable): RunCommand {
  return async ({ positionals: [shell = ""] }, io) => {
    const toScript = scripts.get(shell);
    if (toScript === undefined) {
      const known = [...scripts.keys()].join(", ");
      throw new UsageError(`SHELL is one of ${known}, not ${JSON.stringify(shell)}.`);
    }
    io.out(toScript(await listRoutes(commands)));
    return 0;
  };
}

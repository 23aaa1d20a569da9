import type { PastChange } from "@haft/contract";
import { portable, toVisibleText } from "@haft/core";
import type { Command } from "../command.ts";
import type { Io } from "../io.ts";
import { openComputer, openWorkspace } from "../open-workspace.ts";
import { commonHelp, commonOptions } from "../options/common-option-table.ts";
import { type CommonOptions, readCommonOptions } from "../options/common-options.ts";
import { exitCodeOf, printJson, printResult } from "../terminal/print-result.ts";
import { approvingHost } from "../terminal/terminal-host.ts";
import { UsageError } from "../usage-error.ts";

/** `haft undo` */
export const undo: Command = {
  help: `Take back the last change that a call of this session made, also one of an earlier day.

Usage: haft undo [PATH] [--list]

Without a PATH everything goes back that the last changing call did; with one, the last change of
that file. Again takes back the change before. What you changed yourself since is kept; where that
can't be done nothing is changed, and the reason is given. The same as haft call undo_edit.

      --list            take nothing back; show what would be, newest first

Examples:
  haft undo
  haft undo src/index.ts
  haft undo --list --session review

${commonHelp}`,
  options: { ...commonOptions, list: { type: "boolean" } },
  run: async (input, io) => {
    // Its names are those of the command, whatever a model is used to.
    const options = { ...readCommonOptions(input, io), dialect: portable };
    const [path, extra] = input.positionals;
    if (extra !== undefined) throw new UsageError(`One path at a time; what is ${extra}?`);
    if (input.options.list === true) return list(path, options, io);
    const workspace = await openWorkspace(options, io);
    // Whoever types it has decided; what rules deny stays denied.
    const session = workspace.openSession({ host: approvingHost });
    const args = path === undefined ? {} : { path };
    const result = await session.call(
      { name: "undo_edit", arguments: args },
      { signal: io.signal },
    );
    await workspace.close();
    if (options.json) printJson(result, io);
    else printResult(result, io);
    return exitCodeOf(result);
  },
};

async function list(path: string | undefined, options: CommonOptions, io: Io): Promise<number> {
  const computer = openComputer(options, io);
  const { journal } = computer.openSession(options.session);
  const changes = await journal.latest(path === undefined ? undefined : computer.resolve(path));
  if (options.json) {
    printJson(changes.map(toJson), io);
    return 0;
  }
  if (changes.length === 0) io.out("There is nothing to undo.\n");
  for (const change of changes) {
    const { at, changed, path: where } = toJson(change);
    io.out(toVisibleText(`${at}  ${changed}  ${where}\n`));
  }
  return 0;
}

function toJson({
  at,
  path,
  before,
  after,
}: PastChange): Record<"at" | "changed" | "path", string> {
  const changed =
    before.kind === "absent" ? "created" : after.kind === "absent" ? "deleted" : "edited";
  return { at: new Date(at).toISOString(), changed, path };
}

import type { Command, CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { commonHelp, commonOptions } from "../options/common-option-table.ts";
import { type CommonOptions, readCommonOptions } from "../options/common-options.ts";
import { UsageError } from "../usage-error.ts";

type Action = (input: CommandInput, options: CommonOptions, io: Io) => Promise<number>;

interface ActionEntry {
  /** How many words may follow the action. */
  readonly words: number;
  load(): Promise<Action>;
}

const actions: Readonly<Record<string, ActionEntry>> = {
  list: { words: 0, load: async () => (await import("./sessions/list.ts")).listAll },
  show: { words: 1, load: async () => (await import("./sessions/show.ts")).showSession },
  search: {
    words: Number.POSITIVE_INFINITY,
    load: async () => (await import("./sessions/search.ts")).searchSessions,
  },
  export: { words: 1, load: async () => (await import("./sessions/export.ts")).exportSession },
  fork: { words: 2, load: async () => (await import("./sessions/fork.ts")).forkSession },
  close: { words: 1, load: async () => (await import("./sessions/close.ts")).closeSession },
};

/** `haft sessions` */
export const sessions: Command = {
  help: `List, show, search, export, fork or close sessions. A session belongs to a workspace and
outlives the command; what was said and done in it is kept.

Usage: haft sessions [list] [--all]     the sessions of this workspace, or of all; --children also
                                        those of subagents
       haft sessions show NAME          what was said and which calls were made, oldest first;
                                        --limit N the latest N only
       haft sessions search WORDS...    the sessions in which the words were said, or calls made with
                                        them; --all in every workspace, --limit N at most N
       haft sessions export NAME        all of it, with the results of calls, as --format json
                                        (default), jsonl or markdown; to --output FILE
                                        or standard output
       haft sessions fork NAME [NEW]    a new session that begins as the other; --at N with its first
                                        N entries only
       haft sessions close NAME         end it: its jobs end, its sidecar files go, its record
                                        stays

NAME is a session's name in this workspace, or its whole id (see haft sessions list --all).

Examples:
  haft sessions
  haft sessions list --all --json
  haft sessions show default
  haft sessions search login timeout
  haft sessions export default --format markdown --output default.md
  haft sessions fork default second-try

${commonHelp}`,
  options: {
    ...commonOptions,
    all: { type: "boolean" },
    children: { type: "boolean" },
    limit: { type: "string" },
    format: { type: "string" },
    output: { type: "string" },
    at: { type: "string" },
  },
  run: async (input, io) => {
    const options = readCommonOptions(input, io);
    const [action = "list", ...words] = input.positionals;
    const entry = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (entry === undefined) {
      throw new UsageError(
        `sessions can list, show, search, export, fork or close, not ${JSON.stringify(action)}.`,
      );
    }
    const extra = words[entry.words];
    if (extra !== undefined) throw new UsageError(`What is ${JSON.stringify(extra)}?`);
    const run = await entry.load();
    return run(input, options, io);
  },
};

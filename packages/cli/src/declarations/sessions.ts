import type { ArgumentDeclaration, Command } from "../command.ts";
import { withCommonOptions } from "./loaders.ts";
import { commonOnly } from "./option-groups.ts";

const session: ArgumentDeclaration = {
  name: "NAME",
  description:
    "Name of a session of this workspace, or a full session ID (see haft sessions list --all). Default: default",
  optional: true,
};

const groups = [commonOnly("workspace", "session", "json")];

/** `haft sessions` */
export const sessions: Command = {
  details: `
A session belongs to a workspace and outlives the command. Its messages and calls are recorded.`,
  defaultSubcommand: "list",
  subcommands: {
    list: {
      summary: "List the sessions of this workspace, or of all",
      options: {
        all: { description: "Sessions of every workspace" },
        children: { description: "Also show the sessions of subagents" },
      },
      groups,
      examples: ["haft sessions", "haft sessions list --all --json"],
      load: withCommonOptions(async () => (await import("../commands/sessions/list.ts")).listAll),
    },
    show: {
      summary: "Show the messages and calls of a session, oldest first",
      arguments: [session],
      options: { limit: { value: "N", description: "Show only the latest N" } },
      groups,
      examples: ["haft sessions show default"],
      load: withCommonOptions(
        async () => (await import("../commands/sessions/show.ts")).showSession,
      ),
    },
    cost: {
      summary: "Show what the results of a session's calls cost, and which tools it never used",
      details: `
Tokens are estimated as a quarter of the characters. A result counts once, although every later request to
a model contains it again. With --json also the characters of each result, and the files of those that were cut.`,
      arguments: [session],
      groups,
      examples: ["haft sessions cost default"],
      load: withCommonOptions(async () => (await import("../commands/sessions/cost.ts")).showCost),
    },
    search: {
      summary: "Find sessions by words in their messages and calls",
      arguments: [{ name: "WORDS", description: "Words to search for", repeats: true }],
      options: {
        all: { description: "Search the sessions of every workspace" },
        limit: { value: "N", description: "Maximum number of results", default: "20" },
      },
      groups,
      examples: ["haft sessions search login timeout"],
      load: withCommonOptions(
        async () => (await import("../commands/sessions/search.ts")).searchSessions,
      ),
    },
    export: {
      summary: "Export a session with the results of its calls",
      arguments: [session],
      options: {
        format: {
          value: "FORMAT",
          description: "Format of the export",
          choices: ["json", "jsonl", "markdown", "html"],
          default: "json",
        },
        output: {
          value: "FILE",
          description: "File to write",
          default: "standard output",
          completes: "file",
        },
        html: {
          value: "FILE",
          description: "Write one HTML page. Same as --format html --output FILE",
          completes: "file",
        },
      },
      groups,
      examples: [
        "haft sessions export default --format markdown --output default.md",
        "haft sessions export default --html default.html",
      ],
      load: withCommonOptions(
        async () => (await import("../commands/sessions/export.ts")).exportSession,
      ),
    },
    fork: {
      summary: "Create a session that starts as a copy of another",
      arguments: [
        session,
        { name: "NEW", description: "Name of the new session. Default: NAME-fork", optional: true },
      ],
      options: { at: { value: "N", description: "Copy only the first N entries" } },
      groups,
      examples: ["haft sessions fork default second-try"],
      load: withCommonOptions(
        async () => (await import("../commands/sessions/fork.ts")).forkSession,
      ),
    },
    close: {
      summary: "Close a session: end its jobs and delete its sidecar files, but keep its record",
      arguments: [session],
      groups,
      examples: ["haft sessions close default"],
      load: withCommonOptions(
        async () => (await import("../commands/sessions/close.ts")).closeSession,
      ),
    },
  },
};

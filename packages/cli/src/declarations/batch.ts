import type { Command } from "../command.ts";
import { commonOptions, envelopeOption, waitOption } from "./option-groups.ts";

/** `haft batch` */
export const batch: Command = {
  details: `
Calls that conflict run in the order given. All others run in parallel.

The input is a JSON array of calls: [{"id": "a", "name": "read", "arguments": {"path": "x"}}, …].
Results are in the same order: [{"id", "name", "result"}, …]. The exit code is that of the first
call that failed.`,
  arguments: [
    {
      name: "FILE",
      description: "File with the calls. Without it, or with -, they are read from standard input",
      optional: true,
      completes: "file",
    },
  ],
  options: {
    plan: {
      description: "Run nothing. Show which calls would run in parallel, and why not all do",
    },
    ...envelopeOption,
    ...waitOption("refuse them"),
  },
  groups: [commonOptions],
  examples: [
    "haft batch calls.json --json",
    `echo '[{"name":"read","arguments":{"path":"a"}},{"name":"read","arguments":{"path":"b"}}]' | haft batch`,
    "haft batch calls.json --plan",
  ],
  load: async () => (await import("../commands/batch.ts")).runBatch,
};

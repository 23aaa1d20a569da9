import type { Command } from "../command.ts";
import { commonOnly } from "./option-groups.ts";

/** `haft replay` */
export const replay: Command = {
  details: `
Touches no files, network or programs and asks no model. Without FILE it prints everything in the
session as it happened: messages, and every call with its result; with --json only the results. With
FILE it answers the calls of a batch from the session's record. If the same call was made twice, the
first result comes first. A call that was not recorded gets the error not-found.`,
  arguments: [
    {
      name: "ID",
      description:
        "Name of a session of this workspace, or a full session ID. `haft sessions` lists them",
    },
    {
      name: "FILE",
      description: "Batch of calls to answer, as for haft batch. - for standard input",
      optional: true,
      completes: "file",
    },
  ],
  options: {
    events: {
      description:
        "Print the events of an agent's session, one JSON object per line, as haft agent --json does",
    },
  },
  groups: [commonOnly("workspace", "session", "json")],
  examples: ["haft replay default --json", "haft replay default calls.json"],
  load: async () => (await import("../commands/replay.ts")).replaySession,
};

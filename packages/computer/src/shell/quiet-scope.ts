import type { RunScope } from "@haft/core";

/** The parts of a scope for programs whose changes are not reviewed and whose jobs are not followed. */
export const quietScope: Pick<
  RunScope,
  "isReviewed" | "reviewEffects" | "onTimeout" | "outlive" | "jobEnded" | "jobSeen" | "holdFiles"
> = {
  isReviewed: false,
  reviewEffects: () => undefined,
  onTimeout: "stop",
  outlive: () => {},
  jobEnded: () => {},
  jobSeen: () => {},
  holdFiles: async () => () => {},
};

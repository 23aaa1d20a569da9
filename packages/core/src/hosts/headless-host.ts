import { ToolError } from "@haft/contract";
import type { Host } from "./host.ts";

/** Nobody is there: what needs asking is refused, always in the same words. */
export const headlessHost: Host = {
  headless: true,
  ask: async (request) => {
    throw new ToolError(
      "headless",
      `This call needs approval and nobody can be asked here (${request.reason}). It was not run.`,
    );
  },
  question: async () => {
    throw new ToolError(
      "headless",
      "Questions can't be answered here: nobody is present. Go on with your best judgement.",
    );
  },
};

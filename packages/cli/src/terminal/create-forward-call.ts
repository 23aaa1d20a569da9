import type { ForwardCall } from "@haft/connect/published";
import { ToolError } from "@haft/contract";
import { toVisibleLine } from "@haft/core/internal";
import type { Io } from "../io.ts";
import type { CommonOptions } from "../options/common-options.ts";

/** Creates the function that shows in the terminal to whom the agent hands the conversation over. Refuses without a terminal. */
export function createForwardCall(
  { headless }: Pick<CommonOptions, "headless">,
  io: Pick<Io, "error">,
): ForwardCall {
  return async ({ destination, reason = "" }) => {
    if (headless) {
      throw new ToolError(
        "headless",
        `The conversation was not handed over to ${JSON.stringify(destination)}: this session has no terminal to show that in. Say in your answer who should take over.`,
      );
    }
    const why = reason.trim() === "" ? "" : `: ${reason.trim()}`;
    io.error(
      `${toVisibleLine(`The agent hands this conversation over to ${destination}${why}`)}\n`,
    );
    return `The person at the terminal was told that ${destination} takes over. End your turn.`;
  };
}

import { ToolError } from "@haft/contract";
import type { Io } from "../../../io.ts";
import type { CommonOptions } from "../../../options/common-options.ts";

/** Asks the person to agree. Throws if this run is not interactive and has no `--yes`. */
export async function isAgreed(question: string, options: CommonOptions, io: Io): Promise<boolean> {
  if (options.yes) return true;
  if (options.headless) {
    throw new ToolError(
      "headless",
      "This needs your approval, but the session is not interactive. To approve it, add --yes.",
    );
  }
  const answer = await io.readLine(`${question} [y/n] `, io.signal);
  return /^y(?:es)?$/iu.test(answer?.trim() ?? "");
}

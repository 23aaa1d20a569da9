import { ToolError } from "@haft/contract";
import type { Io } from "../../../io.ts";
import type { CommonOptions } from "../../../options/common-options.ts";

/** Whether somebody who has seen it says yes. Where nobody can, that is a failure with a remedy. */
export async function isAgreed(question: string, options: CommonOptions, io: Io): Promise<boolean> {
  if (options.yes) return true;
  if (options.headless) {
    throw new ToolError("headless", "Nobody is here to agree. Say that you do with --yes.");
  }
  const answer = await io.readLine(`${question} [y/n] `, io.signal);
  return /^y(?:es)?$/iu.test(answer?.trim() ?? "");
}

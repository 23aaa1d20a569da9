import { ToolError } from "@haft/contract";

/** A line of the patch that can't be understood; lines are counted from 0 here, from 1 in the sentence. */
export function patchError(line: number, sentence: string): ToolError {
  return new ToolError("invalid-arguments", `Line ${line + 1} of the patch: ${sentence}`);
}

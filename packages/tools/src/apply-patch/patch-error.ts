import { ToolError } from "@haft/contract";

/** Creates the error for a malformed line of a patch. `line` is counted from 0. */
export function patchError(line: number, sentence: string): ToolError {
  return new ToolError("invalid-arguments", `Line ${line + 1} of the patch: ${sentence}`);
}

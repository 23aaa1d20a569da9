import { ToolError } from "@haft/contract";
import type { ChildData } from "./child-data.ts";

/** Returns the outcome if it contains an answer. Throws a `ToolError` if not. */
export function requireAnswer(data: ChildData): ChildData {
  const { agent, reason, text, error, notes = [] } = data;
  if (reason === "aborted") {
    const message = [`The subagent ${agent} was stopped.`, ...notes].join(" ");
    throw new ToolError("cancelled", message, { partial: text });
  }
  if (reason === "error" && text === "") {
    const cause = error ?? "The request to its model failed.";
    const message = [`The subagent ${agent} gave no answer. ${cause}`, ...notes].join(" ");
    throw new ToolError("failed", message);
  }
  return data;
}

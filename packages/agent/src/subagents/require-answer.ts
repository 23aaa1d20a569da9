import { ToolError } from "@haft/contract";
import type { ChildData } from "./child-data.ts";

/** What a child came back with, if that is something; else a `ToolError` says why not. */
export function requireAnswer(data: ChildData): ChildData {
  const { agent, reason, text, error } = data;
  if (reason === "aborted") {
    throw new ToolError("cancelled", `The subagent ${agent} was stopped.`, { partial: text });
  }
  if (reason === "error" && text === "") {
    const cause = error ?? "Its model could not be asked.";
    throw new ToolError("failed", `The subagent ${agent} has no answer. ${cause}`);
  }
  return data;
}

import { ToolError } from "@haft/contract";
import { toJson } from "../../output/to-json.ts";
import type { Call } from "../call.ts";

/** What stays in later turns has at most this many characters. */
const mostPersisted = 5_000;

/** Decides whether a result stays in later turns, for tools that declare what becomes of theirs. */
export function persist(call: Call): void {
  const { persistence } = call.tool;
  if (persistence === undefined) return;
  call.persistence = "ephemeral";
  if (persistence === "ephemeral") return;
  const characters = countCharacters(call);
  if (characters <= mostPersisted) {
    call.persistence = "persisted";
    return;
  }
  if (persistence === "persisted-preferred") return;
  throw new ToolError(
    "too-large",
    `${call.name} returned ${characters} characters. Its results are to stay in the conversation, where at most ${mostPersisted} can. Ask it for less.`,
  );
}

function countCharacters({ data, tool }: Call): number {
  const text = typeof data === "string" ? data : JSON.stringify(toJson(data, tool.id));
  // A character may take two units of a string.
  return text.length <= mostPersisted ? text.length : Array.from(text).length;
}

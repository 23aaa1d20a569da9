import { ToolError } from "@haft/contract";
import { toJson } from "../../output/to-json.ts";
import type { Call } from "../call.ts";

/** Maximum number of characters of a persisted result. */
const maxPersisted = 5_000;

/** Decides whether a result stays in the conversation, for tools that declare a `persistence`. */
export function persist(call: Call): void {
  const { persistence } = call.tool;
  if (persistence === undefined) return;
  call.persistence = "ephemeral";
  if (persistence === "ephemeral") return;
  const characters = countCharacters(call);
  if (characters <= maxPersisted) {
    call.persistence = "persisted";
    return;
  }
  if (persistence === "persisted-preferred") return;
  throw new ToolError(
    "too-large",
    `${call.name} returned ${characters} characters. Its results stay in the conversation, so the maximum is ${maxPersisted}. Request less.`,
  );
}

function countCharacters({ data, tool }: Call): number {
  const text = typeof data === "string" ? data : JSON.stringify(toJson(data, tool.id));
  // A character may take two UTF-16 units.
  return text.length <= maxPersisted ? text.length : Array.from(text).length;
}

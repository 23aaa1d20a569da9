import { resolve } from "node:path";
import type { ToolCallContent } from "@agentclientprotocol/sdk";
import type { JsonValue } from "@haft/contract";
import type { LocationPlace } from "./call-locations.ts";

/** What an edit that is asked about would do, as far as its arguments tell. */
export function toAskedDiffs(given: JsonValue, place: LocationPlace): ToolCallContent[] {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return [];
  const { path, content, edits, ...single } = given as Record<string, JsonValue>;
  if (typeof path !== "string") return [];
  const shown = place.show(resolve(place.cwd, path));
  if (typeof content === "string") {
    return [{ type: "diff", path: shown, oldText: null, newText: content }];
  }
  const all = Array.isArray(edits) ? edits : [single];
  return all.flatMap((edit): ToolCallContent[] => {
    const { old_string, new_string } = (edit ?? {}) as Record<string, JsonValue>;
    if (typeof old_string !== "string" || typeof new_string !== "string") return [];
    return [{ type: "diff", path: shown, oldText: old_string, newText: new_string }];
  });
}

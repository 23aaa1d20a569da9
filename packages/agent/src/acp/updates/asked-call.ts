import { resolve } from "node:path";
import type { ToolCallContent, ToolCallUpdate, ToolKind } from "@agentclientprotocol/sdk";
import type { JsonValue } from "@haft/contract";
import type { AskRequest } from "@haft/core";
import { showArguments, showChanges, toVisibleLine, toVisibleText } from "@haft/core/internal";
import { type LocationContext, toArgumentLocations } from "./call-locations.ts";
import { toCallTitle } from "./call-title.ts";
import { toCodeBlock } from "./code-block.ts";

/** Context of a call that needs approval. */
export interface AskedCallContext {
  readonly place: LocationContext;
  kindOf(name: string): ToolKind;
  /** ID of the session. Calls of other sessions belong to its subagents. */
  readonly own: string | undefined;
}

/** Converts a call that needs approval for display in a client. */
export function describeAsked(
  request: AskRequest,
  { place, kindOf, own }: AskedCallContext,
): ToolCallUpdate {
  const { session, callId, name, tool, arguments: given } = request;
  return {
    toolCallId: session === own ? callId : `${session}/${callId}`,
    title: toCallTitle({ name, arguments: given, cwd: place.cwd }),
    kind: kindOf(tool),
    locations: toArgumentLocations(given, place),
    content: toContent(request, place),
    rawInput: given,
  };
}

/**
 * Shows what a call would do: the diffs of an edit, otherwise all arguments. The title shows only the
 * beginning, and the user must see everything that they approve.
 */
function toContent(request: AskRequest, place: LocationContext): ToolCallContent[] {
  const { tool, arguments: given } = request;
  const diffs = editors.has(tool) ? toDiffs(given, place) : [];
  if (diffs.length > 0 && isPlain(given)) return diffs;
  const changes = request.effects === undefined ? [] : ["", ...showChanges(request.effects)];
  const text = [...showArguments(given), ...changes].map(toVisibleLine).join("\n");
  return [...diffs, { type: "content", content: { type: "text", text: toCodeBlock(text) } }];
}

// What other tools do with a path and content is unknown.
const editors = new Set(["write", "edit", "multi_edit"]);

/** Tells whether a client that shows the text verbatim shows all of it. */
function isPlain(given: JsonValue): boolean {
  if (typeof given === "string") {
    const text = given.replaceAll("\r\n", "\n");
    return toVisibleText(text) === text;
  }
  if (typeof given !== "object" || given === null) return true;
  return Object.entries(given).every(([key, value]) => isPlain(key) && isPlain(value));
}

function toDiffs(given: JsonValue, place: LocationContext): ToolCallContent[] {
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

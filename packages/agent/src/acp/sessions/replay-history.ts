import type { ContentBlock, SessionUpdate, ToolKind } from "@agentclientprotocol/sdk";
import type { AiSdkModelOutput } from "@haft/connect/ai-sdk";
import type { JsonValue } from "@haft/contract";
import type { PromptPart } from "../../loop/prompt-part.ts";
import type { StoredEntry, ThreadEntry } from "../../threads/thread.ts";
import { type LocationContext, toArgumentLocations } from "../updates/call-locations.ts";
import { toCallTitle } from "../updates/call-title.ts";
import { toBlocks } from "../updates/result-content.ts";

/** Context of a replay. */
export interface ReplayContext {
  readonly place: LocationContext;
  /** Returns the kind of a tool, if it still exists. */
  kindOf(name: string): ToolKind;
}

/** Converts the history of a session to updates. */
export function* replayHistory(
  history: Iterable<StoredEntry>,
  replay: ReplayContext,
): Generator<SessionUpdate> {
  const open = new Set<string>();
  for (const { entry } of history) {
    switch (entry.kind) {
      case "user":
        for (const part of entry.content) yield chunk("user_message_chunk", toBlock(part));
        break;
      case "assistant":
        yield* replayAnswer(entry, open, replay);
        break;
      case "result":
        if (open.delete(entry.callId)) yield toEnd(entry.callId, entry.output);
        break;
    }
  }
  // Calls that were running when a process died have no result.
  for (const toolCallId of open) {
    yield { sessionUpdate: "tool_call_update", toolCallId, status: "failed" };
  }
}

type Answer = Extract<ThreadEntry, { readonly kind: "assistant" }>;

function* replayAnswer(
  { content }: Answer,
  open: Set<string>,
  { place, kindOf }: ReplayContext,
): Generator<SessionUpdate> {
  for (const part of content) {
    if (part.type === "text") yield* words("agent_message_chunk", part.text);
    if (part.type === "reasoning") yield* words("agent_thought_chunk", part.text);
    if (part.type !== "tool-call") continue;
    const { toolCallId, toolName: name } = part;
    const given = part.input as JsonValue;
    open.add(toolCallId);
    yield {
      sessionUpdate: "tool_call",
      toolCallId,
      title: toCallTitle({ name, arguments: given, cwd: place.cwd }),
      kind: kindOf(name),
      status: "pending",
      locations: toArgumentLocations(given, place),
      rawInput: given,
    };
  }
}

type ChunkKind = "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk";

function* words(kind: ChunkKind, text: string): Generator<SessionUpdate> {
  if (text !== "") yield chunk(kind, { type: "text", text });
}

function chunk(sessionUpdate: ChunkKind, content: ContentBlock): SessionUpdate {
  return { sessionUpdate, content };
}

function toBlock(part: PromptPart): ContentBlock {
  if (part.type === "text") return { type: "text", text: part.text };
  const { mediaType, data } = part;
  if (mediaType.startsWith("image/")) return { type: "image", mimeType: mediaType, data };
  return { type: "text", text: `[${mediaType}]` };
}

function toEnd(toolCallId: string, output: AiSdkModelOutput): SessionUpdate {
  return {
    sessionUpdate: "tool_call_update",
    toolCallId,
    status: output.type === "error-text" ? "failed" : "completed",
    content: toBlocks(output).map((content) => ({ type: "content", content })),
  };
}

import { clipText } from "@haft/contract/internal";
import type { AssistantContent, UserContent } from "ai";
import type { Piece, Step } from "./piece.ts";
import { textOfOutput } from "./shorten-output.ts";

const maxResultLength = 2000;
const maxInputLength = 1000;

/**
 * Writes a conversation as text: the latest pieces that fit into about `length` characters, and the first one
 * if it must be kept.
 */
export function writeTranscript(
  pieces: readonly Piece[],
  characters: number,
  keepsFirst = false,
): string {
  const [first, ...rest] = pieces.map(writePiece);
  if (first === undefined) return "";
  const kept: string[] = [];
  let left = characters - (keepsFirst ? first.length : 0);
  for (const text of (keepsFirst ? rest : [first, ...rest]).reverse()) {
    if (kept.length > 0 && text.length > left) break;
    kept.unshift(clipText(text, Math.max(left, maxResultLength), ""));
    left -= text.length;
  }
  return [...(keepsFirst ? [first] : []), ...kept].join("\n\n");
}

function writePiece(piece: Piece): string {
  if (piece.kind === "said") return `Person: ${writeContent(piece.message.content)}`;
  return [`Assistant: ${writeContent(piece.message.content)}`, ...writeResults(piece)].join("\n");
}

function writeResults({ calls, results }: Step): string[] {
  return calls.flatMap(({ id, name }) => {
    const result = results.get(id);
    return result === undefined
      ? []
      : [`Result of ${name}: ${clip(textOfOutput(result.output), maxResultLength)}`];
  });
}

function writeContent(content: UserContent | AssistantContent): string {
  if (typeof content === "string") return content;
  return content
    .map(writePart)
    .filter((text) => text !== "")
    .join("\n");
}

function writePart(part: Exclude<UserContent | AssistantContent, string>[number]): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "tool-call":
      return `[calls ${part.toolName} ${clip(JSON.stringify(part.input), maxInputLength)}]`;
    case "file":
      return `[a file, ${part.mediaType}]`;
    default:
      return "";
  }
}

function clip(text: string, length: number): string {
  return text.length > length ? `${clipText(text, length, "")} […]` : text;
}

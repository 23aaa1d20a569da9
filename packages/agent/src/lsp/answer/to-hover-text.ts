import { utf8Head } from "@haft/contract";
import type { Hover } from "vscode-languageserver-types";

const mostBytes = 20_000;

/** What a server tells of a place, as Markdown; `undefined` if nothing. */
export function toHoverText(hover: Hover | null | undefined): string | undefined {
  const contents = [hover?.contents ?? []].flat();
  const text = contents
    .map((part) => {
      if (typeof part === "string") return part;
      if (!("language" in part)) return part.value;
      return `\`\`\`${part.language}\n${part.value}\n\`\`\``;
    })
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n\n");
  return text === "" ? undefined : utf8Head(text, mostBytes);
}

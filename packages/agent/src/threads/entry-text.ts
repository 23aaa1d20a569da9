import type { ThreadEntry } from "./thread.ts";

/** The words of an entry, as far as somebody said them: not what calls came back with. */
export function toEntryText(entry: ThreadEntry): string {
  switch (entry.kind) {
    case "user":
      return entry.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
    case "assistant":
      return entry.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
    case "notice":
    case "summary":
      return entry.text;
    case "turn-end":
      return entry.error ?? "";
    case "result":
      return "";
  }
}

/** What a thread is called that nobody gave a title: the first line of what was said first. */
export function toTitle(entry: ThreadEntry): string | undefined {
  if (entry.kind !== "user") return undefined;
  const line = toEntryText(entry)
    .split("\n")
    .map((text) => text.trim())
    .find((text) => text !== "");
  return line === undefined ? undefined : clipTitle(line);
}

/** A title that fits in a line. */
export function clipTitle(title: string): string {
  const characters = [...title.replaceAll(/\s+/gu, " ").trim()];
  if (characters.length <= mostTitleCharacters) return characters.join("");
  return `${characters.slice(0, mostTitleCharacters - 1).join("")}…`;
}

const mostTitleCharacters = 80;

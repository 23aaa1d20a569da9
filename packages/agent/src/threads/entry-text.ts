import type { ThreadEntry } from "./thread.ts";

/** Returns the text that a person or the model wrote in an entry, without call results. */
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

/** Returns the default title of a thread: the first line of its first message. */
export function toTitle(entry: ThreadEntry): string | undefined {
  if (entry.kind !== "user") return undefined;
  const line = toEntryText(entry)
    .split("\n")
    .map((text) => text.trim())
    .find((text) => text !== "");
  return line === undefined ? undefined : clipTitle(line);
}

/** Cuts a title to fit on a line. */
export function clipTitle(title: string): string {
  const characters = [...title.replaceAll(/\s+/gu, " ").trim()];
  if (characters.length <= maxTitleCharacters) return characters.join("");
  return `${characters.slice(0, maxTitleCharacters - 1).join("")}…`;
}

const maxTitleCharacters = 80;

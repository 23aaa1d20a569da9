import { hash } from "node:crypto";

/**
 * A file name that stands for any text and for no other. Capitals are spelled out because some file
 * systems do not tell them from small letters.
 */
export function fileNameOf(text: string): string {
  const name = Buffer.from(text)
    .toString("latin1")
    .replace(/[^a-z0-9_-]/gu, spellOut);
  return name.length <= 200 ? `${name}.json` : `%x${hash("sha256", text)}.json`;
}

function spellOut(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
}

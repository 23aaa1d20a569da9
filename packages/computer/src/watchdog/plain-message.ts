/**
 * What a program printed as a message: one line, trimmed, not too long, and without characters that
 * steer a terminal or hide what is written.
 */
export function toPlainMessage(text: string): string {
  const plain = text.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  const characters = [...plain];
  return characters.length <= longest ? plain : `${characters.slice(0, longest).join("")}…`;
}

const longest = 2000;

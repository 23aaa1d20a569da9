/** The unit in which a server counts characters. */
export type PositionEncoding = "utf-8" | "utf-16" | "utf-32";

/** Converts a number of characters, with an emoji as one, to the server's unit. */
export function toUnits(line: string, characters: number, encoding: PositionEncoding): number {
  let units = 0;
  let left = characters;
  for (const character of line) {
    if (left-- <= 0) break;
    units += unitsOf(character, encoding);
  }
  return units;
}

/** Converts an offset in the server's unit to a number of characters, rounding down. */
export function fromUnits(line: string, units: number, encoding: PositionEncoding): number {
  let left = units;
  let characters = 0;
  for (const character of line) {
    left -= unitsOf(character, encoding);
    if (left < 0) break;
    characters++;
  }
  return characters;
}

function unitsOf(character: string, encoding: PositionEncoding): number {
  if (encoding === "utf-16") return character.length;
  if (encoding === "utf-32") return 1;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}

// Control characters; bidirectional, zero-width, tag and other format characters; variation
// selectors but the emoji one: what makes a terminal show something else than what is there.
const deceptive = /\p{Cc}|\p{Cf}|[\u2028\u2029]|[\ufe00-\ufe0e]|[\u{e0100}-\u{e01ef}]/gu;

/** Text as a terminal may safely show it: deceptive characters appear as their code. */
export function toVisibleText(text: string): string {
  return text.replace(deceptive, (character) =>
    character === "\n" || character === "\t" ? character : escapeCharacter(character),
  );
}

/** The same in one line: line breaks appear as their code too. */
export function toVisibleLine(text: string): string {
  return toVisibleText(text).replaceAll("\n", "\\u{a}");
}

/** JSON in which deceptive characters are escaped: the same value, harmless to look at. */
export function toVisibleJson(json: string): string {
  return json.replace(deceptive, (character) =>
    character === "\n" ? character : escapeForJson(character),
  );
}

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) as number).toString(16)}}`;
}

function escapeForJson(character: string): string {
  let escaped = "";
  for (let at = 0; at < character.length; at++) {
    escaped += `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
  }
  return escaped;
}

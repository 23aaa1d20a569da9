// Control characters; bidirectional, zero-width, tag and other format characters; variation
// selectors but the emoji one: what makes a person see something else than what is there.
const deceptive = /\p{Cc}|\p{Cf}|[\u2028\u2029]|[\ufe00-\ufe0e]|[\u{e0100}-\u{e01ef}]/gu;

/** A line as a person may safely be shown it: deceptive characters appear as their code. */
export function toVisibleLine(line: string): string {
  return line.replace(deceptive, (character) =>
    character === "\t" ? character : `\\u{${(character.codePointAt(0) as number).toString(16)}}`,
  );
}

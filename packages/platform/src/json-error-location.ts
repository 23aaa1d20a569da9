/**
 * Returns where a JSON text is malformed, such as ` (line 4, column 7)`, to be appended to a sentence.
 * Takes the error that `JSON.parse` threw; V8 names a location in some of its messages only.
 */
export function toJsonErrorLocation(error: unknown, text: string): string {
  const { message } = error as Error;
  const [, line, column] = /\(line (\d+) column (\d+)\)/u.exec(message) ?? [];
  if (line !== undefined) return ` (line ${line}, column ${column})`;
  const before = text.slice(0, isUnexpectedToken(text) ? findUnexpectedToken(text) : text.length);
  const lines = before.split("\n");
  return ` (line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1})`;
}

/**
 * The index of the token that can't be parsed: the last character of the shortest prefix with it.
 */
function findUnexpectedToken(text: string): number {
  let [valid, invalid] = [0, text.length];
  while (invalid - valid > 1) {
    const middle = Math.floor((valid + invalid) / 2);
    if (isUnexpectedToken(text.slice(0, middle))) invalid = middle;
    else valid = middle;
  }
  return invalid - 1;
}

function isUnexpectedToken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return (error as Error).message.startsWith("Unexpected token");
  }
}

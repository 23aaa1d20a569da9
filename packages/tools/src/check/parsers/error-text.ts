/** The first line of an error's text; a line that ends with a colon has the next one beside it. */
export function errorText(lines: readonly string[]): string {
  const said = lines.map((line) => line.trim()).filter((line) => line !== "");
  const [first = "", second] = said;
  return first.endsWith(":") && second !== undefined ? `${first} ${second}` : first;
}

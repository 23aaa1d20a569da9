/** Returns the lines inside a code fence that is around all of them; `undefined` if there is none. */
export function removeFence(lines: readonly string[]): readonly string[] | undefined {
  const isFilled = (line: string): boolean => line.trim() !== "";
  const first = lines.findIndex(isFilled);
  const last = lines.findLastIndex(isFilled);
  const [, mark] = /^\s*(`{3,}|~{3,})[\w+#.-]*\s*$/u.exec(lines[first] ?? "") ?? [];
  if (mark === undefined || last <= first || lines[last]?.trim() !== mark) return undefined;
  const inside = lines.slice(first + 1, last);
  // Another fence inside would be the end of the first one.
  return inside.some((line) => line.trim().startsWith(mark)) ? undefined : inside;
}

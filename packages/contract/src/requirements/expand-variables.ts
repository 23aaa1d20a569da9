import type { Variables } from "./requirement-set.ts";

/**
 * Replaces `{name}` by each value of the variable, as written by `writeValue`. `{a,b}` is a glob's
 * alternative and `\{name\}` is plain text.
 */
export function expandVariables(
  pattern: string,
  variables: Variables,
  writeValue: (value: string) => string = (value) => value,
): string[] {
  const found = findVariable(pattern);
  if (found === undefined) return [pattern];
  const { name, start, end } = found;
  const values = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (values === undefined) {
    const known = Object.keys(variables).sort().join(", ") || "none";
    throw new TypeError(
      `Pattern ${JSON.stringify(pattern)} uses the undefined variable {${name}}. Defined: ${known}.`,
    );
  }
  const head = pattern.slice(0, start);
  const tails = expandVariables(pattern.slice(end), variables, writeValue);
  return values.flatMap((value) => tails.map((tail) => `${head}${writeValue(value)}${tail}`));
}

function findVariable(pattern: string): { name: string; start: number; end: number } | undefined {
  for (const fit of pattern.matchAll(/\\.|\{([^{},\\]*)\}/gsu)) {
    const name = fit[1];
    if (name !== undefined) return { name, start: fit.index, end: fit.index + fit[0].length };
  }
  return undefined;
}

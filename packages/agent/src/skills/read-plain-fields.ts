/**
 * Parses the simplest YAML, which most skills use: one line per field, each with a string that can't be
 * mistaken for anything else. Returns `undefined` for other YAML. The full parser takes far
 * longer to load than reading all skills of a workspace takes.
 */
export function readPlainFields(text: string): Record<string, string> | undefined {
  const fields: Record<string, string> = {};
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const { field, value } = plainLine.exec(line)?.groups ?? {};
    if (field === undefined || value === undefined || Object.hasOwn(fields, field))
      return undefined;
    if (/:(?:\s|$)|\s#/u.test(value) || /^(?:null|true|false)$/iu.test(value)) return undefined;
    fields[field] = value;
  }
  return fields;
}

// A value that begins with a letter is not a number, a date or a YAML indicator.
const plainLine =
  /^(?<field>[a-z]+(?:-[a-z]+)*): +(?<value>\p{L}(?:[\p{L}\p{M}\p{N}\p{P}\p{S} ]*[\p{L}\p{M}\p{N}\p{P}\p{S}])?) *$/u;

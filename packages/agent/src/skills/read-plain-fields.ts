/**
 * Reads YAML of the plainest kind, which most skills have: one line a field, each with a text that can't be
 * taken for anything else. `undefined` for whatever is not of this kind: that is for a real parser, which
 * takes far longer to load than all skills of a workspace take to be read.
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

// A text that begins with a letter is no number, no date, and none of YAML's signs.
const plainLine =
  /^(?<field>[a-z]+(?:-[a-z]+)*): +(?<value>\p{L}(?:[\p{L}\p{M}\p{N}\p{P}\p{S} ]*[\p{L}\p{M}\p{N}\p{P}\p{S}])?) *$/u;

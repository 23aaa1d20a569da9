/** Parses a JSON object with comments. Returns an empty object if the text is not one. */
export function readJson(text: string): Readonly<Record<string, unknown>> {
  for (const candidate of [
    text,
    text.replaceAll(comments, "$1").replaceAll(/,(\s*[}\]])/gu, "$1"),
  ]) {
    try {
      const value: unknown = JSON.parse(candidate);
      return typeof value === "object" && value !== null ? { ...value } : {};
    } catch {
      // Try the next candidate.
    }
  }
  return {};
}

/** Returns the string values of an object, by name. */
export function textsOf(value: unknown): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  if (typeof value !== "object" || value === null) return texts;
  for (const [name, text] of Object.entries(value)) {
    if (typeof text === "string") texts.set(name, text);
    else if (Array.isArray(text)) texts.set(name, text.join(" && "));
    else if (typeof text === "object" && text !== null && typeof text.command === "string") {
      texts.set(name, text.command);
    }
  }
  return texts;
}

// Strings are matched first, so that comment marks inside them stay.
const comments = /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*.*?\*\//gsu;

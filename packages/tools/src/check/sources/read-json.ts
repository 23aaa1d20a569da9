/** An object written in JSON, comments allowed; empty if the text is none. */
export function readJson(text: string): Readonly<Record<string, unknown>> {
  for (const candidate of [
    text,
    text.replaceAll(comments, "$1").replaceAll(/,(\s*[}\]])/gu, "$1"),
  ]) {
    try {
      const value: unknown = JSON.parse(candidate);
      return typeof value === "object" && value !== null ? { ...value } : {};
    } catch {
      // The next candidate may do.
    }
  }
  return {};
}

/** The texts of an object, by name. */
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

// Strings are matched first, so that what looks like a comment in one stays.
const comments = /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*.*?\*\//gsu;

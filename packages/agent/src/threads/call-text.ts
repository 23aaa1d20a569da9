import type { RecordedHead } from "@haft/computer";

/** The words of a recorded call: its name, and the texts in its arguments and in its result's beginning. */
export function toCallText({ name, arguments: args, result }: RecordedHead): string {
  return [name, ...textsIn(args), ...textsIn(result.replaceAll(envelope, ""))].join(" ");
}

// Every envelope has these words, so that they find nothing.
const envelope = /^\{"type":"(?:output|error)",|,"metadata":\{"duration_ms".*$/gsu;

// What is cut off is no JSON any more; so its texts are picked out by their quotes, without the keys.
const text = /"((?:[^"\\]|\\.)*)(?:"(\s*:)?|$)/gsu;

function textsIn(json: string): string[] {
  return [...json.matchAll(text)].flatMap(([, inner = "", colon]) =>
    colon === undefined ? [plain(inner)] : [],
  );
}

function plain(escaped: string): string {
  return escaped
    .replaceAll(/\\u([0-9a-fA-F]{4})/gu, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replaceAll(/\\[nrtbf]/gu, " ")
    .replaceAll(/\\(.)/gsu, "$1")
    .toWellFormed();
}

import { type Runtime, ToolError } from "@haft/contract";
import { lineNumber, splitLines } from "@haft/contract/internal";
import { openText } from "../text/text-document.ts";

/** An edit that could not be written. */
export interface LostEdit {
  readonly path: string;
  readonly line: number;
  readonly wanted: string;
}

const linesAround = 8;

/** Creates the error for a file that changed between match and write. It shows the current text. */
export async function refuseChanged(place: LostEdit, runtime: Runtime): Promise<ToolError> {
  const { path } = place;
  const shown = await showFresh(place, runtime);
  return new ToolError(
    "conflict",
    `${path} was changed in the meantime; nothing was written. ${shown}`,
    { absolutePath: path },
  );
}

async function showFresh({ path, line, wanted }: LostEdit, runtime: Runtime): Promise<string> {
  let text: string;
  try {
    text = openText((await runtime.fs.load(path)).content, path).text;
  } catch (error) {
    if (ToolError.isInstance(error)) return `Now: ${error.message}`;
    throw error;
  }
  const at = text.indexOf(wanted);
  const middle = at === -1 ? line : lineNumber(text, at);
  const lines = splitLines(text);
  const first = Math.max(1, Math.min(middle, lines.length) - linesAround);
  const numbered = lines
    .slice(first - 1, middle + linesAround)
    .map((each, index) => `${first + index}: ${each.trimEnd()}`);
  return `Now it reads:\n${numbered.join("\n")}`;
}

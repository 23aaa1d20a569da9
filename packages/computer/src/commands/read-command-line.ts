import type { CommandReading } from "@haft/core";
import { parse } from "unbash";
import type { CommandContext } from "./command-context.ts";
import { confirmReading } from "./confirm-reading.ts";
import type { Directory } from "./directory.ts";
import type { Frame } from "./frame.ts";
import { isTooMuch } from "./is-too-much.ts";
import { createDraft } from "./reading-draft.ts";
import { walkInside, walkScript } from "./walk-script.ts";

/** Reads a command line with two parsers. May throw on absurd input. */
export function readCommandLine(
  command: string,
  cwd: string,
  place: CommandContext,
): CommandReading {
  const draft = createDraft(command, place);
  if (isTooMuch(command)) {
    draft.doubt("it is too long to be parsed");
    draft.loosen();
    return draft.finish();
  }
  // Parsers differ on what is a space, and people don't see such characters.
  if (!ordinary.test(command) && unusual.test(command))
    draft.doubt("it has characters that look like others or are invisible");
  readCode(command, cwd, { draft, wrappers: [], readCode, readInside: walkInside });
  if (draft.commands.length > maxCommands) draft.doubt("it has too many commands");
  if (draft.isCertain()) confirmReading(draft);
  return draft.finish();
}

const maxCommands = 200;

const ordinary = /^[\x20-\x7e\n\t]*$/u;
const unusual = /(?![\n\t ])[\p{C}\p{Z}]/u;

function readCode(code: string, directory: Directory, frame: Frame): void {
  const script = parse(code);
  frame.draft.sources.push({ source: code, script });
  walkScript(script, directory, frame);
}

import { nameOf } from "../paths/path-parts.ts";
import type { BareCommand } from "./bare-command.ts";
import { changeDirectory } from "./change-directory.ts";
import { type Outcome, stays } from "./directory.ts";
import { type Frame, maxWrappers } from "./frame.ts";
import { inspectCommand } from "./inspect-command.ts";
import { findWrapper } from "./programs/program-index.ts";
import { isShell, takeOffShell } from "./take-off-shell.ts";
import { takeOffWrapper, type WrappedCommand } from "./take-off-wrapper.ts";

/** Removes a command's wrappers and adds the inner command to the reading. */
export function readBareCommand(bare: BareCommand, frame: Frame): Outcome {
  if (frame.wrappers.length >= maxWrappers) {
    frame.draft.doubt("it has too many nested wrappers");
    loosenWords(bare, frame);
    return stays(bare.directory);
  }
  const name = nameOf(bare.words[0] ?? "");
  const wrapper = findWrapper(name);
  const inner: WrappedCommand | "done" | undefined = isShell(name)
    ? takeOffShell(bare, frame)
    : wrapper && takeOffWrapper(bare, wrapper, frame);
  if (inner === "done") return stays(bare.directory);
  if (inner === undefined) return readLast(bare, frame);
  const outcome = readBareCommand(inner.command, inner.frame);
  // The directory can change for what follows only inside the shell itself.
  return inShell.has(name) ? outcome : stays(bare.directory);
}

const inShell: ReadonlySet<string> = new Set(["command", "builtin"]);

const directoryChanges: ReadonlySet<string> = new Set(["cd", "pushd", "popd"]);

function readLast(bare: BareCommand, frame: Frame): Outcome {
  const { draft } = frame;
  const [given] = bare.words;
  if (given === undefined) draft.loosen();
  if (given !== undefined && directoryChanges.has(given)) {
    const { outcome, doubt } = changeDirectory(bare, draft);
    const doubts = doubt === undefined ? bare.doubts : [...bare.doubts, doubt];
    draft.commands.push(inspectCommand({ ...bare, doubts }, frame).command);
    return outcome;
  }
  const { command, inner } = inspectCommand(bare, frame);
  draft.commands.push(command);
  for (const words of inner) {
    const wrappers = [...frame.wrappers, bare.words.slice(0, 1)];
    readBareCommand({ ...bare, words, doubts: [], input: [] }, { ...frame, wrappers });
  }
  return stays(bare.directory);
}

function loosenWords({ words }: BareCommand, { draft }: Frame): void {
  draft.loosen(words.filter((word) => word !== undefined).join(" "));
}

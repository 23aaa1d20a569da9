import { type PastChange, type PathState, ToolError } from "@haft/contract";
import { isSameBytes } from "../lines/byte-lines.ts";
import { mergeLines } from "../lines/merge-lines.ts";
import type { Present } from "./look-at.ts";

/** What becomes of a path when a change of it is taken back. */
export type UndoAction = "restored" | "merged" | "removed" | "unchanged";

/** How one change is taken back. */
export interface UndoStep {
  readonly change: PastChange;
  readonly action: UndoAction;
  readonly from: Present;
  readonly to: PathState;
}

/** Decides how to take a change back; what would lose something is refused. */
export function planUndo(change: PastChange, present: Present): UndoStep {
  const { before, after } = change;
  const step = { change, from: present, to: keepMode(change) };
  if (isState(present, before)) return { ...step, action: "unchanged" };
  if (isState(present, after)) {
    return { ...step, action: before.kind === "absent" ? "removed" : "restored" };
  }
  if (present.kind === "file" && before.kind === "file" && after.kind === "file") {
    return mergeBack(change, { before, after, present });
  }
  throw refuse(change, explain(change, present));
}

function mergeBack(
  change: PastChange,
  states: {
    readonly before: PathState & { kind: "file" };
    readonly after: PathState & { kind: "file" };
    readonly present: Present & { kind: "file" };
  },
): UndoStep {
  const merged = mergeLines({
    base: states.after.content,
    ours: states.present.content,
    theirs: states.before.content,
  });
  if ("conflicts" in merged) throw refuse(change, explainConflict(merged.conflicts));
  const to: PathState = { kind: "file", content: merged.content };
  return { change, action: "merged", from: states.present, to };
}

function isState(present: Present, state: PathState): boolean {
  if (present.kind === "link" && state.kind === "link") return present.target === state.target;
  if (present.kind === "file" && state.kind === "file") {
    return isSameBytes(present.content, state.content);
  }
  return present.kind === state.kind;
}

// A mode that the change did not touch stays what it is by now.
function keepMode({ before, after }: PastChange): PathState {
  if (before.kind !== "file" || after.kind !== "file") return before;
  const isTouched = after.mode !== undefined && after.mode !== before.mode;
  return isTouched ? before : { kind: "file", content: before.content };
}

function refuse({ path }: PastChange, why: string): ToolError {
  return new ToolError("conflict", `Can't undo the last change of ${path}: ${why}`, {
    absolutePath: path,
  });
}

function explain({ before, after }: PastChange, present: Present): string {
  switch (present.kind) {
    case "absent":
      return "the file was deleted since. Nothing was undone; write it anew if it is needed.";
    case "directory":
      return "a directory is there now. Nothing was undone; move the directory away first.";
    case "secret":
      return "it is of a kind that holds secrets, which tools do not read, so nobody can tell whether it was changed since. Nothing was undone; ask the user to restore it.";
    case "other":
      return "what is there now is no file. Nothing was undone.";
    default:
  }
  if (after.kind === "absent") {
    return "another file is there since. Nothing was undone; move that file away first.";
  }
  if (before.kind === "absent") {
    return "the change created the file, and it was edited since, which would be lost. Nothing was undone; use delete_file if it is to go.";
  }
  return "something else is there since. Nothing was undone.";
}

function explainConflict(conflicts: readonly (readonly [number, number])[]): string {
  const places = conflicts.map(([first, last]) =>
    first === last ? `${first}` : `${first}-${last}`,
  );
  const isOne = places.length === 1 && !places[0]?.includes("-");
  const shown =
    places.length > 10
      ? `${places.slice(0, 10).join(", ")} and ${places.length - 10} more places`
      : places.join(", ");
  return `${isOne ? "line" : "lines"} ${shown} changed since, at the same place, which would be lost. Nothing was undone; change ${isOne ? "it" : "them"} with edit instead.`;
}

import { type PastChange, type PathState, ToolError } from "@haft/contract";
import { isSameBytes, mergeLines } from "@haft/contract/internal";
import type { Present } from "./look-at.ts";

/** The effect of an undo on a path. */
export type UndoAction = "restored" | "merged" | "removed" | "unchanged";

/** The undo of one change. */
export interface UndoStep {
  readonly change: PastChange;
  readonly action: UndoAction;
  readonly from: Present;
  readonly to: PathState;
}

/** Decides how to undo a change. Throws if something would be lost. */
export function planUndo(change: PastChange, present: Present): UndoStep {
  const { before, after } = change;
  const step = { change, from: present, to: keepMode(change) };
  if (isState(present, before)) {
    const isModeOnly = before.kind === after.kind && isState(present, after) && hasMode(step.to);
    return { ...step, action: isModeOnly ? "restored" : "unchanged" };
  }
  if (isState(present, after)) {
    return { ...step, action: before.kind === "absent" ? "removed" : "restored" };
  }
  if (present.kind === "file" && before.kind === "file" && after.kind === "file") {
    return mergeBack(change, { before, after, present });
  }
  throw refuse(change, explain(change, present));
}

/** Undoes a change of a path that is known to be as the change left it. */
export function planUntouched(change: PastChange, version: string): UndoStep {
  const { before, after } = change;
  const from: Present =
    after.kind === "file"
      ? toLazy(after, version)
      : after.kind === "directory"
        ? { kind: "directory", version }
        : after;
  return { change, action: before.kind === "absent" ? "removed" : "restored", from, to: before };
}

// The content is read only if it is shown.
function toLazy(state: PathState & { kind: "file" }, version: string): Present {
  return {
    kind: "file",
    version,
    get content() {
      return state.content;
    },
  };
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

// A mode that the change did not touch stays as it is now.
function keepMode({ before, after }: PastChange): PathState {
  if (!hasMode(before) || !hasMode(after) || after.mode === undefined) {
    return before.kind === "file" && after.kind === "file" ? withoutMode(before) : before;
  }
  return after.mode === before.mode ? withoutMode(before) : before;
}

function withoutMode(state: StateWithMode): PathState {
  return state.kind === "file" ? { kind: "file", content: state.content } : { kind: "directory" };
}

type StateWithMode = PathState & { kind: "file" | "directory" };

function hasMode(state: PathState): state is StateWithMode {
  return state.kind === "file" || state.kind === "directory";
}

function refuse({ path }: PastChange, { why, remedy }: Reason): ToolError {
  return new ToolError("conflict", `Can't undo the last change of ${path}: ${why}`, {
    absolutePath: path,
    ...(remedy !== undefined && { remedy }),
  });
}

interface Reason {
  readonly why: string;
  readonly remedy?: string;
}

function explain({ before, after }: PastChange, present: Present): Reason {
  switch (present.kind) {
    case "absent":
      return {
        why: "the file was deleted since. Nothing was undone; write it again if it is needed.",
      };
    case "directory":
      return {
        why: "a directory is there now. Nothing was undone; move the directory away first.",
      };
    case "secret":
      return {
        why: "it is a kind of file that holds secrets, which tools do not read, so later changes can't be detected. Nothing was undone; ask the user to restore it.",
      };
    case "other":
      return { why: "the path is no longer a regular file. Nothing was undone." };
    default:
  }
  if (after.kind === "absent") {
    return { why: "another file is there since. Nothing was undone; move that file away first." };
  }
  if (before.kind === "absent") {
    return {
      why: "the change created the file, and it was edited since, which would be lost. Nothing was undone.",
      remedy: "Use `delete_file` to delete it.",
    };
  }
  return { why: "something else is there since. Nothing was undone." };
}

function explainConflict(conflicts: readonly (readonly [number, number])[]): Reason {
  const places = conflicts.map(([first, last]) =>
    first === last ? `${first}` : `${first}-${last}`,
  );
  const isOne = places.length === 1 && !places[0]?.includes("-");
  const shown =
    places.length > 10
      ? `${places.slice(0, 10).join(", ")} and ${places.length - 10} more places`
      : places.join(", ");
  return {
    why: `${isOne ? "line" : "lines"} ${shown} changed since, at the same place, which would be lost. Nothing was undone.`,
    remedy: `Change ${isOne ? "it" : "them"} with \`edit\` instead.`,
  };
}

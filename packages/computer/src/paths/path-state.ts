import type { PathState } from "@haft/contract";

/** Returns a copy whose content the caller can't change. */
export function copyState(state: PathState): PathState {
  return state.kind === "file" ? { ...state, content: state.content.slice() } : { ...state };
}

/** Returns whether two states are equal, permissions aside. */
export function isSameState(a: PathState, b: PathState): boolean {
  if (a.kind === "file" && b.kind === "file") {
    const { content } = b;
    return (
      a.content.length === content.length && a.content.every((byte, at) => byte === content[at])
    );
  }
  if (a.kind === "link" && b.kind === "link") return a.target === b.target;
  return a.kind === b.kind;
}

import type { AppliedComputerLayer } from "@haft/computer";
import type { ChildData } from "./child-data.ts";

/**
 * Where a subagent works: on a layer of its own, on its parent's workspace, or on a layer if it may write
 * and there can be one (`auto`).
 */
export type IsolationRequest = "layer" | "none" | "auto";

/** The isolation that a subagent has. */
export type ChildIsolation =
  | {
      readonly kind: "layer";
      /** Applies the subagent's changes. Later calls return the same outcome. */
      apply(): Promise<AppliedComputerLayer>;
    }
  | {
      readonly kind: "none";
      /** Why it has none. */
      readonly reason: string;
    };

const maxConflicts = 500;

/** Applies the changes of a subagent, and returns what its outcome says about them. */
export async function settleIsolation(
  isolation: ChildIsolation | undefined,
): Promise<Pick<ChildData, "isolation" | "conflicts" | "kept_at" | "notes"> & ChangedPaths> {
  if (isolation === undefined) return {};
  if (isolation.kind === "none") {
    return { isolation: "none", notes: [`It worked on the workspace itself. ${isolation.reason}`] };
  }
  const { changes, conflicts, keptAt, notes } = await isolation.apply();
  const isApplied = ({ path }: { readonly path: string }): boolean => !conflicts.includes(path);
  return {
    isolation: "layer",
    changed: changes.filter(isApplied).map(({ path }) => path),
    ...(conflicts.length > 0 && { conflicts: conflicts.slice(0, maxConflicts) }),
    ...(keptAt !== undefined && { kept_at: keptAt }),
    ...(notes.length > 0 && { notes: [...notes] }),
  };
}

interface ChangedPaths {
  /** What was changed in the workspace, if that is known. */
  readonly changed?: readonly string[];
}

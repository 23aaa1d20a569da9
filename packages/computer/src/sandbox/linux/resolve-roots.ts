import { realpathSync } from "node:fs";
import { ToolError } from "@haft/contract";
import { isInside } from "@haft/contract/internal";
import { canOthersRead } from "../root/owner-mapping.ts";
import type { SandboxedRun } from "../sandbox.ts";
import { isSystemPath } from "./machine.ts";
import type { SandboxUser } from "./sandbox-user.ts";

/** What a run may touch, links resolved. */
export interface ResolvedRoots {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  readonly cwd: string;
}

/**
 * Creates a function that looks up the directories of a run. Missing ones are left out; for an
 * unprivileged user also those that only root can reach, unless they were prepared.
 */
export function createRootResolver(
  prepared: readonly string[],
  { isOther }: Pick<SandboxUser, "isOther">,
): (run: Pick<SandboxedRun, "readable" | "writable" | "cwd">) => ResolvedRoots {
  // Once: afterwards a command may have put a link there.
  const roots = prepared.flatMap((root) => landing(root) ?? []);
  const resolve = (path: string): readonly string[] => {
    const found = landing(path);
    if (found === undefined) return [];
    if (isSystemPath(found)) throw systemPlace(found);
    if (roots.some((root) => isInside(root, found))) return [found];
    if (found !== path) throw outside(path);
    return isOther && !canOthersRead(found) ? [] : [found];
  };
  return (run) => {
    const readable = run.readable.flatMap(resolve);
    const writable = run.writable.flatMap(resolve);
    const cwd = landing(run.cwd);
    if (cwd === undefined) {
      throw new ToolError("not-found", `No such directory: ${run.cwd}. Name one that exists.`, {
        absolutePath: run.cwd,
      });
    }
    // If nothing is allowed, nothing runs.
    if (![...readable, ...writable].some((root) => isInside(root, cwd))) throw outside(run.cwd);
    return { readable, writable, cwd };
  };
}

function landing(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function outside(path: string): ToolError {
  return new ToolError(
    "out-of-scope",
    `Out of scope: commands can't run with ${path}, which lies outside what this call may read. Use a directory inside the workspace.`,
    { absolutePath: path },
  );
}

function systemPlace(path: string): ToolError {
  return new ToolError(
    "unavailable",
    `Commands can't run in a sandbox with the workspace ${path}: it contains the system itself. Work in a subdirectory.`,
    { absolutePath: path },
  );
}

import { realpathSync } from "node:fs";
import { ToolError } from "@haft/contract";
import { isInside } from "../../paths/path-parts.ts";
import { canOthersRead } from "../root/owner-mapping.ts";
import type { SandboxedRun } from "../sandbox.ts";
import { isSystemPlace } from "./machine.ts";
import type { SandboxUser } from "./sandbox-user.ts";

/** What a run may touch, as it really is. */
export interface ResolvedRoots {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  readonly cwd: string;
}

/**
 * Looks up where the directories of a run are. What is not there is left out; for somebody else also
 * what only root can reach, unless it was prepared for them.
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
    if (isSystemPlace(found)) throw systemPlace(found);
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
    // Nothing allowed means nothing runs, not that everything is allowed.
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
    `Out of scope: no command can run with ${path}, which lies outside what this call may read. Use a directory inside the workspace.`,
    { absolutePath: path },
  );
}

function systemPlace(path: string): ToolError {
  return new ToolError(
    "unavailable",
    `No command can run in a sandbox with ${path} for a workspace: the system itself is in it. Work in a directory below it.`,
    { absolutePath: path },
  );
}

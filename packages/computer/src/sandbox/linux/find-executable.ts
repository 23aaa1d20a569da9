import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "@haft/contract/internal";
import type { SandboxContext } from "../sandbox-context.ts";

/** The full path of a system program, links resolved; never one that a command could write. */
export function findExecutable(
  name: string,
  { searchPath, roots }: Pick<SandboxContext, "searchPath" | "roots">,
): string | undefined {
  for (const directory of [...(searchPath ?? "").split(":"), ...usual]) {
    if (!directory.startsWith("/")) continue;
    try {
      const path = realpathSync.native(join(directory, name));
      accessSync(path, constants.X_OK);
      if (statSync(path).isFile() && !roots.some((root) => isInside(root, path))) return path;
    } catch {
      // It does not exist.
    }
  }
  return undefined;
}

const usual = ["/usr/bin", "/bin", "/usr/local/bin", "/usr/sbin", "/sbin"];

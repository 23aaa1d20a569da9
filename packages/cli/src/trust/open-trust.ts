import type { ProjectTrust } from "@haft/computer";
import { openProjectTrust, stateDirectory, toRealPath } from "@haft/computer/internal";
import type { Io } from "../io.ts";

/** Opens the trust decisions of a workspace, for commands that open nothing else of it. */
export function openTrust(workspace: string, { environment }: Io): ProjectTrust {
  return openProjectTrust({
    root: toRealPath(workspace),
    stateDirectory: stateDirectory(environment),
  });
}

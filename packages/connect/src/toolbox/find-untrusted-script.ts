import type { DiskComputer, ProjectItem } from "@haft/computer";
import { readUntrustedFile } from "@haft/computer/internal";
import type { ToolboxScript } from "./toolbox-script.ts";

/** Decides whether a workspace's script may run. */
export type ScriptTrust = Pick<DiskComputer, "trust">;

const maxBytes = 4 * 1024 * 1024;

/**
 * Returns the script if it is in the workspace and its current content is not trusted, or `undefined`
 * if it may run. Returns a string, to follow the path, if the script can't be read. Files that the
 * script itself loads are not checked.
 */
export function findUntrustedScript(
  { path, file, within }: ToolboxScript,
  { trust }: ScriptTrust,
): ProjectItem | string | undefined {
  if (within === undefined) return undefined;
  const read = readUntrustedFile(file, { within, maxBytes });
  if (read.fault !== undefined) return read.fault;
  const item: ProjectItem = { kind: "toolbox script", path, content: read.bytes };
  return trust.isTrusted(item) ? undefined : item;
}

/** The message about an untrusted script, after its path. */
export const untrustedFault =
  "came with the workspace, and its current content is not trusted. Review it with: haft trust";

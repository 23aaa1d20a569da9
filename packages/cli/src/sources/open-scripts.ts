import { join } from "node:path";
import { findToolboxDirectories, type ToolSupply } from "@haft/connect";
import type { Io } from "../io.ts";
import type { ToolPlace } from "./tool-place.ts";

/** The scripts of the toolbox directories; nothing is loaded where there are none. */
export async function openScripts(
  { environment }: Io,
  { computer, home, state, warn }: ToolPlace,
): Promise<readonly ToolSupply[]> {
  const workspace = computer.roots[0] as string;
  const directories = findToolboxDirectories(environment, { workspace, home });
  if (directories.length === 0) return [];
  const { openToolbox } = await import("@haft/connect/toolbox");
  const cacheDirectory = join(state, "toolbox");
  return [await openToolbox({ directories, computer, cacheDirectory, warn })];
}

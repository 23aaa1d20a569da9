import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import type { Tool } from "@haft/contract";
import { createRegistry, createSession } from "@haft/core";
import { builtinTools } from "@haft/tools";
import { startWorkbench, type Workbench, type WorkbenchOptions } from "../workbench.ts";

export const token = "a-token-for-tests";

/** A workbench on a directory of its own. */
export interface TestWorkbench extends Workbench {
  readonly workspace: string;
}

/** Serves the built-in tools, and others, on an empty directory until `close`. */
export async function openWorkbench(
  options: Partial<WorkbenchOptions> & { readonly tools?: readonly Tool[] } = {},
): Promise<TestWorkbench> {
  const { tools = [], ...rest } = options;
  const directory = await mkdtemp(join(tmpdir(), "haft-workbench-"));
  const workspace = join(directory, "workspace");
  const stateDirectory = join(directory, "state");
  await Promise.all([mkdir(workspace), mkdir(stateDirectory)]);
  const computer = createDiskComputer({ workspace, stateDirectory });
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    const workbench = await startWorkbench({
      openSession: (host) =>
        createSession({ registry: createRegistry([...builtinTools, ...tools]), computer, host }),
      token,
      version: "1.2.3",
      workspace,
      port: 0,
      ...rest,
    });
    return {
      ...workbench,
      workspace,
      close: async () => {
        await workbench.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

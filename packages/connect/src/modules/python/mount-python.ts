import { existsSync } from "node:fs";
import { join } from "node:path";
import { findOnPath } from "@haft/computer/internal";
import { type JsonSchema, type ModuleTool, ToolError } from "@haft/contract";
import { findAsset } from "../../find-asset.ts";
import type { PythonEntry } from "../load/find-python-entry.ts";
import type { Contributions } from "../mount/contributions.ts";
import { createModuleCoordinator } from "../mount/module-coordinator.ts";
import type { MountedModule } from "../mount/mounted-module.ts";
import { keepWithin } from "../mount/time-limit.ts";
import type { Environment } from "../plan/expand-environment.ts";
import type { ModuleConfig } from "../plan/mount-plan.ts";
import { type Bridge, RaisedInPython, type StartProgram, startBridge } from "./bridge.ts";

/** Options for mounting a Python module. */
export interface PythonMount {
  readonly entry: PythonEntry;
  readonly config: ModuleConfig;
  readonly hosts: readonly string[];
  readonly contributions: Contributions;
  readonly environment: Environment;
  readonly startProgram: StartProgram;
  /** Time limit for starting and mounting together. */
  readonly limitMs: number;
  readonly warn: (message: string) => void;
}

/**
 * Mounts a module in a sandboxed process of its own. If the process dies, the current call fails and
 * the next call starts it again.
 */
export async function mountPython(mount: PythonMount): Promise<MountedModule> {
  let opened = await open(mount);
  const { mounted } = opened;
  if (opened.bridge.warning !== undefined) mount.warn(opened.bridge.warning);
  let reopening: Promise<Opened> | undefined;
  let isClosed = false;
  const current = async (): Promise<Bridge> => {
    if (opened.bridge.isRunning) return opened.bridge;
    if (isClosed) throw new ToolError("unavailable", "The module was unmounted.");
    reopening ??= open(mount).finally(() => {
      reopening = undefined;
    });
    opened = await reopening;
    return opened.bridge;
  };
  const { coordinator, close } = createModuleCoordinator(mount.contributions);
  for (const [contributor, { channel, name }] of mounted.contributors.entries()) {
    coordinator.registerContributor(channel, name, async () =>
      (await current()).request("contribute", { contributor }),
    );
  }
  return {
    offered: mounted.tools.map((described, tool) => ({
      tool: toTool(described, async (input, signal) =>
        (await current()).request("execute", { tool, input }, signal),
      ),
      name: described.mounted_as ?? undefined,
      fault: described.fault,
      isolation: () => opened.bridge.isolation,
    })),
    close: async () => {
      isClosed = true;
      close();
      await reopening?.catch(() => {});
      await opened.bridge.close();
    },
  };
}

interface Opened {
  readonly bridge: Bridge;
  readonly mounted: Mounted;
}

interface Mounted {
  readonly tools: readonly DescribedTool[];
  readonly contributors: readonly { readonly channel: string; readonly name: string }[];
}

interface DescribedTool {
  readonly name: string;
  readonly mounted_as: string | null;
  readonly description: string;
  readonly input_schema: JsonSchema;
  readonly executes: boolean;
  readonly fault?: string;
}

async function open(mount: PythonMount): Promise<Opened> {
  const { entry, config, limitMs } = mount;
  const { directory, module, attribute } = entry;
  const bridge = await startBridge({
    startProgram: mount.startProgram,
    python: findPython(directory, mount.environment),
    script: findAsset("bridge.py"),
    directory,
    importFrom: [directory, join(directory, "src")].filter(existsSync),
    hosts: mount.hosts,
  });
  try {
    const answer = bridge.request("mount", { module, attribute, config });
    const message = `Its mount() did not finish within ${limitMs / 1000} s.`;
    return { bridge, mounted: (await keepWithin(answer, { ms: limitMs, message })) as Mounted };
  } catch (error) {
    await bridge.stop();
    throw explain(error, directory);
  }
}

function explain(error: unknown, directory: string): unknown {
  if (!(error instanceof RaisedInPython) || !/^(?:ModuleNotFound|Import)Error$/u.test(error.type)) {
    return error;
  }
  return new ToolError(
    "unavailable",
    `${error.message}. Install its dependencies in a virtual environment: cd ${directory} && python3 -m venv .venv && .venv/bin/pip install -e .`,
  );
}

function toTool(
  { name, description, input_schema, executes }: DescribedTool,
  execute: (input: object, signal: AbortSignal | undefined) => Promise<unknown>,
): ModuleTool {
  // Without `execute` it is refused like any other tool that lacks it.
  const bare = { name, description, input_schema } as ModuleTool;
  return executes
    ? { ...bare, execute: (input, runtime) => execute(input, runtime?.signal) }
    : bare;
}

/** Returns the directory with our amplifier_core, for PYTHONPATH. */
export function findPythonPath(): string {
  return findAsset("python");
}

/** Returns the interpreter of the module's virtual environment, or the system's. */
function findPython(directory: string, environment: Environment): string {
  const own = [".venv", "venv"].map((name) => join(directory, name, "bin", "python3"));
  const found = own.find(existsSync) ?? findOnPath("python3", environment.PATH);
  if (found !== undefined) return found;
  throw new ToolError(
    "unavailable",
    "It is a Python module, and there is no python3 on the PATH. Install Python 3.9 or later.",
  );
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type JsonSchema, type ModuleTool, ToolError } from "@haft/contract";
import type { PythonEntry } from "../load/find-python-entry.ts";
import type { Contributions } from "../mount/contribution-box.ts";
import { createModuleCoordinator } from "../mount/module-coordinator.ts";
import type { MountedModule } from "../mount/mounted-module.ts";
import { keepWithin } from "../mount/time-limit.ts";
import type { Environment } from "../plan/expand-environment.ts";
import type { ModuleConfig } from "../plan/mount-plan.ts";
import { type Bridge, RaisedInPython, type StartProgram, startBridge } from "./bridge.ts";
import { findBridge } from "./find-bridge.ts";
import { findPython } from "./find-python.ts";

/** What a module in Python is mounted with. */
export interface PythonMount {
  readonly entry: PythonEntry;
  readonly config: ModuleConfig;
  readonly hosts: readonly string[];
  readonly contributions: Contributions;
  readonly environment: Environment;
  readonly startProgram: StartProgram;
  /** How long starting and mounting may take together. */
  readonly limitMs: number;
  readonly warn: (message: string) => void;
}

/**
 * Mounts a module in a process of its own, in the sandbox. If that process dies, the call under way
 * fails, and the next one starts it anew.
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
    script: findBridge(),
    directory,
    importFrom: [directory, join(directory, "src")].filter(existsSync),
    hosts: mount.hosts,
  });
  try {
    const answer = bridge.request("mount", { module, attribute, config });
    const message = `Its mount did not end within ${limitMs / 1000} s.`;
    return { bridge, mounted: (await keepWithin(answer, { ms: limitMs, message })) as Mounted };
  } catch (error) {
    await bridge.stop();
    throw explain(error, directory);
  }
}

function explain(error: unknown, directory: string): unknown {
  if (!(error instanceof RaisedInPython) || error.type !== "ModuleNotFoundError") return error;
  return new ToolError(
    "unavailable",
    `${error.message}. Give it an environment of its own: cd ${directory} && python3 -m venv .venv && .venv/bin/pip install -e .`,
  );
}

function toTool(
  { name, description, input_schema, executes }: DescribedTool,
  execute: (input: object, signal: AbortSignal | undefined) => Promise<unknown>,
): ModuleTool {
  // Left without `execute`, it is refused as any other tool that lacks it.
  const bare = { name, description, input_schema } as ModuleTool;
  return executes
    ? { ...bare, execute: (input, runtime) => execute(input, runtime?.signal) }
    : bare;
}

import {
  findDefinitionFault,
  fromModuleToolResult,
  isModuleToolResult,
  type ModuleTool,
  type ObjectSchema,
  type Tool,
} from "@haft/contract";
import { asModule } from "./as-module.ts";
import type { OfferedTool } from "./mounted-module.ts";

/** The names that are taken already. */
export type TakenNames = ReadonlySet<string>;

/**
 * Makes a tool of what a module offered, and throws if it is none. The tool has its own name, and
 * the one that it was mounted under beside; only where its own is taken it has the other alone.
 */
export function adoptTool(offered: OfferedTool, taken: TakenNames): Tool {
  const { tool, name, fault: known } = offered;
  if (known !== undefined) throw new TypeError(known);
  const adopted = isWhole(tool) ? adoptWhole(tool) : adoptPlain(tool, offered.isolation);
  const fault = findDefinitionFault(adopted);
  if (fault !== undefined) throw new TypeError(fault);
  const isRenamed = name !== undefined && name !== adopted.id && isLegal(name) && !taken.has(name);
  if (taken.has(adopted.id) && !isRenamed) {
    throw new TypeError(`There is a tool ${adopted.id} already. Mount it under another name.`);
  }
  const id = taken.has(adopted.id) && isRenamed ? name : adopted.id;
  const own = adopted.aliases ?? [];
  const free = own.filter((alias) => alias.name !== name && !taken.has(alias.name));
  return rename(adopted, { id, aliases: isRenamed && id !== name ? [...free, { name }] : free });
}

/** Whether a tool has Haft's own shape, not the plainer one of modules. */
export function isWhole(tool: Tool | ModuleTool): tool is Tool {
  if (typeof tool !== "object" || tool === null) {
    throw new TypeError(`It mounts ${String(tool)}, which is not a tool.`);
  }
  return "id" in tool;
}

// Its source and what confines it are facts, whatever it says of them itself.
function adoptWhole(tool: Tool): Tool {
  requireExecute(tool, tool.id);
  const { execution, prepare, timeoutMs, maxOutput, output, aliases, subagentTypes } = tool;
  return {
    id: tool.id,
    description: tool.description,
    parameters: tool.parameters,
    requires: tool.requires ?? {},
    kind: tool.kind ?? "other",
    source: "module",
    isolation: "none",
    execute: async (args, runtime) => asModule(() => tool.execute(args, runtime)),
    ...(execution && { execution }),
    ...(prepare && { prepare: (args, environment) => prepare.call(tool, args, environment) }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(maxOutput && { maxOutput }),
    ...(output && { output }),
    ...(aliases && { aliases }),
    ...(subagentTypes && { subagentTypes }),
  };
}

// What it touches is not known, so it has no profile and conflicts with everything.
function adoptPlain(tool: ModuleTool, isolation: OfferedTool["isolation"]): Tool {
  requireExecute(tool, tool.name);
  return {
    id: tool.name,
    description: tool.description,
    parameters: toParameters(tool),
    requires: {},
    kind: "other",
    source: "module",
    get isolation() {
      return isolation?.() ?? "none";
    },
    execute: async (args, runtime) => {
      const input = args as Readonly<Record<string, unknown>>;
      const result = await asModule(() => tool.execute(input, runtime));
      return isModuleToolResult(result) ? fromModuleToolResult(result) : result;
    },
  };
}

function requireExecute(tool: { readonly execute?: unknown }, name: unknown): void {
  if (typeof tool.execute === "function") return;
  throw new TypeError(`It mounts ${JSON.stringify(name)}, which has no function execute.`);
}

function toParameters({ name, input_schema: schema = {} }: ModuleTool): ObjectSchema {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    throw new TypeError(`The input_schema of ${name} is not a JSON Schema, which is an object.`);
  }
  if (schema.type !== undefined && schema.type !== "object") {
    throw new TypeError(
      `The input_schema of ${name} describes no object: its root needs type "object".`,
    );
  }
  return { ...schema, type: "object" };
}

// Not by spreading, which would ask for what confines it once and for all.
function rename(tool: Tool, names: Pick<Tool, "id" | "aliases">): Tool {
  const descriptors = Object.getOwnPropertyDescriptors(tool);
  return Object.assign(Object.defineProperties({} as Tool, descriptors), names);
}

function isLegal(name: string): boolean {
  return /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/u.test(name);
}

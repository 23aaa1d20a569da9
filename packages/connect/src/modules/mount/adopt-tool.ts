import type { ModuleTool, ObjectSchema, Tool } from "@haft/contract";
import {
  findDefinitionFault,
  fromModuleToolResult,
  isModuleToolResult,
} from "@haft/contract/internal";
import { isToolName } from "../plan/read-mount-plan.ts";
import { asModule } from "./as-module.ts";
import type { OfferedTool } from "./mounted-module.ts";

/** Options of `adoptTool`. */
export interface Adoption {
  /** The names that are already in use. */
  readonly taken: Pick<ReadonlySet<string>, "has">;
  /** The tool's new name, in place of its own. */
  readonly as?: string | undefined;
}

/**
 * Makes a session's tool of a module's tool. Throws if it is not valid. The name that it was mounted
 * under becomes an alias, or the id if its own name is already taken. With `as`, it has neither name.
 */
export function adoptTool(offered: OfferedTool, { taken, as }: Adoption): Tool {
  const { tool, name, fault: known } = offered;
  if (known !== undefined) throw new TypeError(known);
  const adopted = isWhole(tool) ? adoptWhole(tool) : adoptPlain(tool, offered.isolation);
  const fault = findDefinitionFault(adopted);
  if (fault !== undefined) throw new TypeError(fault);
  const own = as ?? adopted.id;
  const isRenamed = as === undefined && isToolName(name) && name !== adopted.id && !taken.has(name);
  if (taken.has(own) && !isRenamed) {
    throw new TypeError(
      `There is already a tool ${own}. Give it another name with "as", or replace a built-in tool with "prefer: true".`,
    );
  }
  const id = taken.has(own) && isRenamed ? name : own;
  const aliases = adopted.aliases ?? [];
  const free = aliases.filter((alias) => alias.name !== name && !taken.has(alias.name));
  return rename(adopted, { id, aliases: isRenamed && id !== name ? [...free, { name }] : free });
}

/** Tells whether a tool is a complete `Tool`, not a `ModuleTool`. */
export function isWhole(tool: Tool | ModuleTool): tool is Tool {
  if (typeof tool !== "object" || tool === null) {
    throw new TypeError(`The module mounted ${String(tool)}, which is not a tool.`);
  }
  return "id" in tool;
}

/** Returns the name of a tool in either form. */
export function nameOf(tool: Tool | ModuleTool): unknown {
  return isWhole(tool) ? tool.id : tool.name;
}

// The source and the isolation are facts and not taken from the tool.
function adoptWhole(tool: Tool): Tool {
  requireExecute(tool, tool.id);
  const { execution, prepare, timeoutMs, maxOutput, output, aliases, subagentTypes } = tool;
  return {
    id: tool.id,
    description: tool.description,
    parameters: tool.parameters,
    requires: tool.requires,
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

// What it touches is unknown, so it has no resource keys and conflicts with every other call.
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
  throw new TypeError(`The module mounted ${JSON.stringify(name)}, which has no function execute.`);
}

function toParameters({ name, input_schema: schema = {} }: ModuleTool): ObjectSchema {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    throw new TypeError(`The input_schema of ${name} must be a JSON Schema object.`);
  }
  if (schema.type !== undefined && schema.type !== "object") {
    throw new TypeError(`The root of the input_schema of ${name} must have type "object".`);
  }
  return { ...schema, type: "object" };
}

// Not by spreading, which would evaluate the `isolation` getter only once.
function rename(tool: Tool, names: Pick<Tool, "id" | "aliases">): Tool {
  const descriptors = Object.getOwnPropertyDescriptors(tool);
  return Object.assign(Object.defineProperties({} as Tool, descriptors), names);
}

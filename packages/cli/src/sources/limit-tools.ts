import type { Tool } from "@haft/contract";
import { nearestNames, type Registry } from "@haft/core";
import type { CommonOptions } from "../options/common-options.ts";
import { UsageError } from "../usage-error.ts";

/** Says what becomes of a tool: itself, a narrower one, or nothing. */
export type ToolLimit = (tool: Tool) => Tool | undefined;

/** What `--tools` and `--read-only` leave of the tools; all of them where neither is said. */
export function createToolLimit(options: CommonOptions, all: Registry): ToolLimit {
  const chosen = options.tools && findChosen(options.tools, options, all);
  return (tool) => {
    if (chosen !== undefined && !chosen.has(tool.id)) return undefined;
    return options.readOnly ? toReadOnly(tool, options) : tool;
  };
}

function findChosen(
  names: readonly string[],
  { dialect }: CommonOptions,
  all: Registry,
): ReadonlySet<string> {
  const known = all.names(dialect);
  return new Set(
    names.map((name) => {
      const tool = known.get(name)?.[0]?.tool;
      if (tool !== undefined) return tool.id;
      const near = nearestNames(name, [...known.keys()]);
      const hint =
        near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "haft tools lists them.";
      throw new UsageError(`--tools: there is no tool ${JSON.stringify(name)}. ${hint}`);
    }),
  );
}

const changing: readonly Tool["kind"][] = ["edit", "delete", "move"];
const harmless: readonly Tool["kind"][] = ["read", "search", "fetch", "think"];

function toReadOnly(tool: Tool, { sandbox }: CommonOptions): Tool | undefined {
  if (changing.includes(tool.kind)) return undefined;
  // A module runs in this process, where nothing keeps it from writing but its own word.
  if (tool.source === "module" && !harmless.includes(tool.kind)) return undefined;
  if (tool.requires.fs?.write === undefined) return tool;
  // What runs programs can do so without writing, as long as the sandbox holds them to it.
  if (tool.kind !== "execute" || sandbox === "off") return undefined;
  const { write: _, ...fs } = tool.requires.fs;
  return { ...tool, requires: { ...tool.requires, fs } };
}

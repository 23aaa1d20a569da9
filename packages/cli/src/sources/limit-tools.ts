import type { Tool } from "@haft/contract";
import type { Registry } from "@haft/core";
import { nearestNames } from "@haft/core/internal";
import type { CommonOptions } from "../options/common-options.ts";
import { UsageError } from "../usage-error.ts";

/** Maps a tool to itself, to a restricted one, or to nothing. */
export type ToolLimit = (tool: Tool) => Tool | undefined;

/** Creates the limit that `--tools` and `--read-only` set. Without them, all tools stay. */
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
        near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "`haft tools` lists them.";
      throw new UsageError(`--tools: there is no tool ${JSON.stringify(name)}. ${hint}`);
    }),
  );
}

const changing: readonly Tool["kind"][] = ["edit", "delete", "move"];
const harmless: readonly Tool["kind"][] = ["read", "search", "fetch", "think"];

function toReadOnly(tool: Tool, { sandbox }: CommonOptions): Tool | undefined {
  if (changing.includes(tool.kind)) return undefined;
  // A module runs in this process, where nothing prevents it from writing.
  if (tool.source === "module" && !harmless.includes(tool.kind)) return undefined;
  if (tool.requires.fs?.write === undefined) return tool;
  // A tool that runs programs can stay if the sandbox prevents them from writing.
  if (tool.kind !== "execute" || sandbox === "off") return undefined;
  const { write: _, ...fs } = tool.requires.fs;
  return { ...tool, requires: { ...tool.requires, fs } };
}

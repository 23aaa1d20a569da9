import type { Tool, ToolAlias } from "@haft/contract";
import { completeAlias } from "../dialects/complete-alias.ts";
import type { Dialect, DialectAlias } from "../dialects/dialect.ts";

/** A tool that a name may refer to, and the alias if the name is not the tool's own. */
export interface Candidate {
  readonly tool: Tool;
  readonly alias: ToolAlias<unknown> | DialectAlias | undefined;
}

/**
 * Every name that a dialect understands. If a name has several candidates, the schema that the
 * arguments fit decides; the dialect's own alias comes first.
 */
export type NameTable = ReadonlyMap<string, readonly Candidate[]>;

/**
 * Builds the table of a dialect. Throws if an alias would hide another built-in tool. An alias takes
 * precedence over tools that are not built in, because those must not replace a native tool.
 */
export function buildNameTable(tools: ReadonlyMap<string, Tool>, dialect: Dialect): NameTable {
  const table = new Map<string, Candidate[]>();
  const add = (name: string, candidate: Candidate): void => {
    const candidates = table.get(name);
    if (candidates === undefined) table.set(name, [candidate]);
    else candidates.push(candidate);
  };
  for (const alias of dialect.aliases) {
    const tool = tools.get(alias.tool);
    if (tool === undefined) continue;
    const other = tools.get(alias.name);
    if (other !== undefined && other !== tool && other.source === "builtin") {
      throw new Error(
        `Dialect ${dialect.name}: alias ${alias.name} of ${tool.id} shadows the tool ${other.id}. Rename the alias.`,
      );
    }
    add(alias.name, { tool, alias: completeAlias(alias, tool) });
  }
  for (const tool of tools.values()) {
    add(tool.id, { tool, alias: undefined });
    for (const alias of tool.aliases ?? []) add(alias.name, { tool, alias });
  }
  return table;
}

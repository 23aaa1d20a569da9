import type { Tool, ToolAlias } from "@haft/contract";
import { completeAlias } from "../dialects/complete-alias.ts";
import type { Dialect, DialectAlias } from "../dialects/dialect.ts";

/** One way to read a name: the tool, and the alias if the name is not the tool's own. */
export interface Candidate {
  readonly tool: Tool;
  readonly alias: ToolAlias<unknown> | DialectAlias | undefined;
}

/**
 * Every name a dialect understands. A name with several candidates is decided by which schema the
 * arguments fit; the dialect's own reading comes first.
 */
export type NameTable = ReadonlyMap<string, readonly Candidate[]>;

/**
 * Builds the table for one dialect. An alias that would hide another built-in tool throws; before a
 * tool from elsewhere it goes first, because nothing from outside may take a native tool's place.
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

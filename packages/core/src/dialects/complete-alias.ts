import type { Tool } from "@haft/contract";
import type { DialectAlias } from "./dialect.ts";

/** Completes a dialect's alias with the tool's own alias of that name. */
export function completeAlias(alias: DialectAlias, tool: Tool): DialectAlias {
  const known = alias.like ?? alias.name;
  const own = tool.aliases?.find(({ name }) => name === known);
  return own === undefined ? alias : { ...own, ...alias };
}

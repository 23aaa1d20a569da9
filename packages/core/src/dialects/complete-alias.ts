import type { Tool } from "@haft/contract";
import type { DialectAlias } from "./dialect.ts";

/** Adds to a dialect's alias what the tool itself says about the name, so that it is said once. */
export function completeAlias(alias: DialectAlias, tool: Tool): DialectAlias {
  const known = alias.like ?? alias.name;
  const own = tool.aliases?.find(({ name }) => name === known);
  return own === undefined ? alias : { ...own, ...alias };
}

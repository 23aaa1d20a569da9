import type {
  JsonSchema,
  ObjectSchema,
  RequirementSet,
  Tool,
  ToolKind,
  ToolSource,
} from "@haft/contract";
import { completeAlias } from "../dialects/complete-alias.ts";
import type { Dialect, DialectAlias } from "../dialects/dialect.ts";

/** A tool as a model sees it. */
export interface ShownTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: ObjectSchema;
  readonly output_schema?: JsonSchema;
  readonly kind: ToolKind;
  readonly source: ToolSource;
  readonly requires: RequirementSet;
  /** The native id behind the name. */
  readonly tool: string;
}

/** Tools in a dialect's names and schemas, always in the same order. */
export function showTools(tools: Iterable<Tool>, dialect: Dialect): ShownTool[] {
  const visible = dialect.aliases.filter((alias) => !alias.hidden);
  const all = Array.from(tools);
  // No two tools are shown under one name; that of the dialect goes before one from elsewhere.
  const here = new Set(all.map(({ id }) => id));
  const taken = new Set(visible.flatMap(({ name, tool }) => (here.has(tool) ? [name] : [])));
  return all.flatMap((tool) => {
    const aliases = visible.filter((alias) => alias.tool === tool.id);
    if (aliases.length > 0) return aliases.map((alias) => show(tool, completeAlias(alias, tool)));
    const isHidden = tool.source === "builtin" ? dialect.native === "hidden" : taken.has(tool.id);
    return isHidden ? [] : [show(tool, undefined)];
  });
}

function show(tool: Tool, alias: DialectAlias | undefined): ShownTool {
  return {
    name: alias?.name ?? tool.id,
    description: alias?.description ?? tool.description,
    input_schema: alias?.parameters ?? tool.parameters,
    // An alias that reshapes the data has a shape of its own, which the native schema can't tell.
    ...outputSchema(tool, alias?.toData === undefined),
    kind: tool.kind,
    source: tool.source,
    requires: tool.requires,
    tool: tool.id,
  };
}

function outputSchema(tool: Tool, native: boolean): { output_schema?: JsonSchema } {
  return native && tool.output !== undefined ? { output_schema: tool.output } : {};
}

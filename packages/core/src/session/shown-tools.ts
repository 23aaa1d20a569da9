import type {
  JsonSchema,
  ObjectSchema,
  RequirementSet,
  Tool,
  ToolKind,
  ToolSource,
} from "@haft/contract";
import { completeAlias } from "../dialects/complete-alias.ts";
import type { Dialect, DialectAlias, Freeform } from "../dialects/dialect.ts";
import {
  isShownNatively,
  nameTools,
  nameToolsInSchema,
  type ToolNames,
} from "../dialects/tool-names.ts";
import { slimSchema } from "../schema/slim-schema.ts";

/** A tool as a model sees it. */
export interface ShownTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: ObjectSchema;
  readonly output_schema?: JsonSchema;
  readonly kind: ToolKind;
  readonly source: ToolSource;
  readonly requires: RequirementSet;
  /** Set if a model may call it with plain text instead of JSON. */
  readonly freeform?: Freeform;
  /** The native id behind the name. */
  readonly tool: string;
}

/** How a model is shown its tools. */
export interface ToolView {
  readonly dialect: Dialect;
  /** The IDs of the tools that the mode names, if it names any. */
  readonly included: ReadonlySet<string> | undefined;
  readonly names: ToolNames;
}

/** Tools in a dialect's names and schemas, always in the same order. */
export function showTools(tools: Iterable<Tool>, view: ToolView): ShownTool[] {
  const { dialect, included } = view;
  const visible = dialect.aliases.filter((alias) => !alias.hidden);
  const all = Array.from(tools);
  // No two tools are shown under one name; that of the dialect goes before one from elsewhere.
  const here = new Set(all.map(({ id }) => id));
  const taken = new Set(visible.flatMap(({ name, tool }) => (here.has(tool) ? [name] : [])));
  return all.flatMap((tool) => {
    const aliases = visible
      .filter((alias) => alias.tool === tool.id)
      .map((alias) => show(tool, completeAlias(alias, tool), view));
    const isShown =
      tool.source === "builtin"
        ? isShownNatively(tool.id, dialect, included)
        : aliases.length === 0 && !taken.has(tool.id);
    return isShown ? [...aliases, show(tool, undefined, view)] : aliases;
  });
}

function show(tool: Tool, alias: DialectAlias | undefined, { names }: ToolView): ShownTool {
  const description = alias?.description ?? tool.description;
  // A dialect's schemas are as its models know them.
  const parameters = alias?.parameters ?? slimSchema(tool.parameters);
  // An alias that reshapes the data has a shape of its own, which the native schema can't tell.
  const output = alias?.toData === undefined ? tool.output : undefined;
  // The texts of other tools are not ours to change.
  const isOwn = tool.source === "builtin";
  const inWords = <Schema extends JsonSchema>(schema: Schema): Schema =>
    isOwn ? nameToolsInSchema(schema, names) : schema;
  return {
    name: alias?.name ?? tool.id,
    description: isOwn ? nameTools(description, names) : description,
    input_schema: inWords(parameters),
    ...(output !== undefined && { output_schema: inWords(output) }),
    kind: tool.kind,
    source: tool.source,
    requires: tool.requires,
    tool: tool.id,
    ...(alias?.freeform !== undefined && { freeform: alias.freeform }),
  };
}

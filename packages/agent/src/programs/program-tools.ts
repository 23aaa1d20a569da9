import { type CatalogEntry, ToolError } from "@haft/contract";
import { clipText } from "@haft/contract/internal";
import type { Session } from "@haft/core";
import { nearestNames } from "@haft/core/internal";
import { findTools } from "@haft/tools/internal";
import { toLine, toTypeText } from "./type-text.ts";

/** A tool as `session.tools` lists it. */
export type ShownTool = ReturnType<Session["tools"]>[number];

/** The tools that a program can call. */
export interface ProgramTools {
  /** The properties of `tools`: each name, and its form as an identifier if that differs. */
  readonly names: readonly string[];
  /** All of them once, each with its signature. */
  listAll(): readonly { readonly name: string; readonly description: string }[];
  /** Returns the name of the tool behind a property. An unknown one is returned as it is. */
  resolve(property: string): string;
  /** Finds tools by words. Best match first. */
  search(query: string): readonly { readonly name: string; readonly description: string }[];
  /** Describes a tool with its signature. Throws `not-found`. */
  describe(property: string): string;
  /** Returns the tool behind a property. */
  find(property: string): ShownTool | undefined;
  /** Returns the property that calls a tool, by its native ID. */
  propertyOf(id: string): string | undefined;
  /** Returns up to three properties that a misspelt one may mean, nearest first. */
  near(property: string): readonly string[];
  /** Tells whether a call by an unlisted name would find a tool, as names of other agents do. */
  isKnownElsewhere(name: string): Promise<boolean>;
}

/**
 * The native IDs of tools that a program can't call: it starts no other programs, and its changes are one
 * step for `undo_edit`, which it would have to be part of.
 */
export const excludedTools: readonly string[] = ["run_code", "code_output", "undo_edit"];

const maxFound = 10;
const maxDescription = 300;

/** Lists the tools of a session's current step for a program. */
export function listProgramTools(session: Session): ProgramTools {
  const shown = session.tools("all").filter(({ tool }) => !excludedTools.includes(tool));
  const byProperty = new Map<string, ShownTool>();
  for (const tool of shown) byProperty.set(tool.name, tool);
  // A tool that has a name as it is keeps it.
  for (const tool of shown) {
    const property = toProperty(tool.name);
    if (!byProperty.has(property)) byProperty.set(property, tool);
  }
  const entries: CatalogEntry[] = shown.map(({ name, description }) => {
    return { name, description, shown: true };
  });
  const near = (property: string): readonly string[] =>
    nearestNames(
      property,
      shown.map(({ name }) => toProperty(name)),
    );
  return {
    names: [...byProperty.keys()],
    listAll: () =>
      shown.map((tool) => ({
        name: toProperty(tool.name),
        description: `${clipText(toLine(tool.description), maxDescription)}\n${toSignature(tool)}`,
      })),
    resolve: (property) => byProperty.get(property)?.name ?? property,
    search: (query) =>
      findTools(entries, query, maxFound).found.map(({ name, description }) => ({
        name: toProperty(name),
        description: clipText(toLine(description), maxDescription),
      })),
    describe: (property) => {
      const tool = byProperty.get(property);
      if (tool !== undefined) return describeTool(tool);
      const similar = near(property);
      const hint = similar.length === 0 ? "" : ` Did you mean ${similar.join(" or ")}?`;
      throw new ToolError("not-found", `There is no tool ${JSON.stringify(property)}.${hint}`);
    },
    find: (property) => byProperty.get(property),
    propertyOf: (id) => {
      const tool = shown.find((each) => each.tool === id);
      return tool && toProperty(tool.name);
    },
    near,
    isKnownElsewhere: async (name) => {
      const { calls } = await session.plan([{ name, arguments: {} }]);
      return calls[0]?.tool !== undefined;
    },
  };
}

/** Returns a name with `_` for every character that an identifier can't have. */
function toProperty(name: string): string {
  const property = name.replace(/[^\w$]/gu, "_");
  return /^\d/u.test(property) ? `_${property}` : property;
}

function describeTool(tool: ShownTool): string {
  return `/** ${toLine(tool.description)} */\n${toSignature(tool)}`;
}

/** Returns the signature of a tool as a property of `tools`. */
export function toSignature({
  name,
  input_schema: input,
  output_schema: output,
}: ShownTool): string {
  const args = `args${needsArguments(input) ? "" : "?"}: ${toTypeText(input)}`;
  return `${toProperty(name)}(${args}): Promise<${toTypeText(output)}>;`;
}

/** Tells whether a tool can't be called without arguments. */
export function needsArguments({ required }: ShownTool["input_schema"]): boolean {
  return Array.isArray(required) && required.length > 0;
}

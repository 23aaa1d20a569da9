import { type CatalogEntry, defineTool, type Tool, ToolError } from "@haft/contract";
import { clipText } from "@haft/contract/internal";

/** The arguments of `tool_search`. */
export interface ToolSearchArguments {
  query: string;
  limit?: number;
}

/** The result of `tool_search`. */
export interface ToolSearchData {
  /** Best match first. */
  matches: FoundTool[];
  message: string;
}

/** A tool that fits a search. */
export interface FoundTool {
  name: string;
  description: string;
  /** True if it was shown before the search; the others are shown from the next step on. */
  shown: boolean;
}

const maxMatches = 10;
const maxDescriptionLength = 1_000;

/**
 * The `tool_search` tool: finds tools that are not shown to the model yet.
 *
 * @example
 * ```ts
 * import { builtinTools, toolSearch } from "@haft/tools";
 *
 * const withoutSearch = builtinTools.filter((tool) => tool !== toolSearch);
 * ```
 */
export const toolSearch: Tool<ToolSearchArguments, ToolSearchData> = defineTool({
  id: "tool_search",
  description: [
    "Finds tools that are not shown yet, such as those of MCP servers and toolboxes.",
    "Matches can be called from the next step on. `select:name,name` selects by exact name.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      query: {
        type: "string",
        minLength: 1,
        maxLength: 400,
        description: "What the tool should do, or part of its name.",
      },
      limit: {
        type: "integer",
        minimum: 1,
        maximum: maxMatches,
        description: `Default: ${maxMatches}.`,
      },
    },
    required: ["query"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      matches: {
        type: "array",
        items: {
          type: "object",
          properties: {
            name: { type: "string" },
            description: { type: "string" },
            shown: { type: "boolean", description: "True if shown before the search." },
          },
          required: ["name", "description", "shown"],
          additionalProperties: false,
        },
      },
      message: { type: "string" },
    },
    required: ["matches", "message"],
    additionalProperties: false,
  },
  requires: {},
  kind: "search",
  source: "builtin",
  execution: { resourceKeys: () => [] },
  execute: async ({ query, limit = maxMatches }, { tools, signal }) => {
    if (signal.aborted) throw new ToolError("cancelled", "Cancelled: nothing was searched.");
    // Loaded on first use: most sessions have no tools to search for.
    const { findTools } = await import("./tool-index.ts");
    const entries = tools.list();
    const { found, missing } = findTools(entries, query, limit);
    const matches = found.map(toMatch);
    tools.show(found.map(({ name }) => name));
    return { matches, message: describe(matches, missing, entries.length) };
  },
});

function toMatch({ name, description, shown }: CatalogEntry): FoundTool {
  return { name, description: clipText(description, maxDescriptionLength), shown };
}

function describe(matches: readonly FoundTool[], missing: readonly string[], all: number): string {
  if (all === 0) return "There are no other tools than those shown.";
  const lacking = missing.length === 0 ? "" : ` There is no tool named ${missing.join(" or ")}.`;
  if (matches.length === 0) {
    return `None of ${all} tools matches.${lacking} Try other words for what it should do, or the name of the server or service.`;
  }
  const hidden = matches.filter(({ shown }) => !shown).length;
  if (hidden === 0) return `All of these are already shown.${lacking}`;
  return `${hidden === matches.length ? "These" : "Those not shown yet"} can be called from the next step on.${lacking}`;
}

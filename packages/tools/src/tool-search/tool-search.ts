import { type CatalogEntry, defineTool, type Tool, ToolError } from "@haft/contract";

/** The arguments of `tool_search`. */
export interface ToolSearchArguments {
  query: string;
  limit?: number;
}

/** What `tool_search` found. */
export interface ToolSearchData {
  /** The best first. */
  matches: FoundTool[];
  message: string;
}

/** A tool that fits a search. */
export interface FoundTool {
  name: string;
  description: string;
  /** It was shown before the search; the others are from the next turn on. */
  shown: boolean;
}

const mostMatches = 10;
const longestDescription = 1_000;

/** Finds tools among those that a model is not shown all of. */
export const toolSearch: Tool<ToolSearchArguments, ToolSearchData> = defineTool({
  id: "tool_search",
  description: [
    "Finds tools that are not shown yet, such as those of MCP servers and toolboxes, by words of their names and descriptions.",
    "What it finds is shown from the next turn on and can be called then.",
    "With `select:name,name` it takes the tools of just these names. It searches neither files nor the web.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      query: {
        type: "string",
        minLength: 1,
        maxLength: 400,
        description: "What the tool shall do, or its name or a part of it.",
      },
      limit: {
        type: "integer",
        minimum: 1,
        maximum: mostMatches,
        description: `How many tools at most; ${mostMatches} if left out.`,
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
            shown: { type: "boolean", description: "It was shown before the search." },
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
  execute: async ({ query, limit = mostMatches }, { tools, signal }) => {
    if (signal.aborted) throw new ToolError("cancelled", "Searched for nothing: aborted.");
    // Loaded when used: most sessions have no tools to search for.
    const { findTools } = await import("./find-tools.ts");
    const entries = tools.list();
    const { found, missing } = findTools(entries, query, limit);
    const matches = found.map(toMatch);
    tools.show(found.map(({ name }) => name));
    return { matches, message: describe(matches, missing, entries.length) };
  },
});

function toMatch({ name, description, shown }: CatalogEntry): FoundTool {
  const isLong = description.length > longestDescription;
  const head = isLong ? `${cut(description, longestDescription - 1)}…` : description;
  return { name, description: head, shown };
}

function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/u, "");
}

function describe(matches: readonly FoundTool[], missing: readonly string[], all: number): string {
  if (all === 0) return "There are no tools but those that are shown.";
  const lacking = missing.length === 0 ? "" : ` There is no tool named ${missing.join(" or ")}.`;
  if (matches.length === 0) {
    return `Nothing fits, of ${all} tools.${lacking} Try other words for what it shall do, or the name of the server or service.`;
  }
  const hidden = matches.filter(({ shown }) => !shown).length;
  if (hidden === 0) return `All of these are shown already.${lacking}`;
  return `${hidden === matches.length ? "These" : "Those not shown yet"} can be called from the next turn on.${lacking}`;
}

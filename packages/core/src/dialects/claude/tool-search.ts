import type { DialectAlias } from "../dialect.ts";
import { givenCount, leaveOut } from "../shared/given.ts";
import { toolSearch as shared } from "../shared/tool-search.ts";

/** `ToolSearch`: tools that are not shown yet. */
export const toolSearch: DialectAlias = {
  ...shared,
  name: "ToolSearch",
  description: [
    "Finds tools that are not shown yet, such as those of MCP servers, by what they do or are called.",
    "What it finds can be called from the next turn on. `select:a,b` takes the tools of just these names.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      query: { type: "string", minLength: 1, description: "Words, or `select:` and names." },
      max_results: { type: "number", description: "How many at most; 10 unless said." },
    },
    required: ["query"],
  },
  toArguments: ({ query, max_results }) => {
    const limit = givenCount(max_results, 1);
    return leaveOut({ query, limit: limit === undefined ? undefined : Math.min(10, limit) });
  },
};

import type { DialectAlias } from "../dialect.ts";

/** The tools of agents that have the same name in every model family. */
export const agentTools: readonly DialectAlias[] = [
  "task_output",
  "task_stop",
  "finder",
  "oracle",
  "librarian",
  "kraken",
  "find_thread",
  "read_thread",
  "lsp",
  "run_code",
].map(asItIs);

/** All tools of agents, for families without their own names for any of them. */
export const allAgentTools: readonly DialectAlias[] = [
  ...["task", "skill", "plan_exit"].map(asItIs),
  ...agentTools,
];

/** `undo_edit`, which no family has a name for and every agent needs. */
export const undoEdit: DialectAlias = asItIs("undo_edit");

function asItIs(id: string): DialectAlias {
  return { name: id, tool: id };
}

/** `tool_search` with a text result. */
export const toolSearch: DialectAlias = {
  name: "tool_search",
  tool: "tool_search",
  toData: (data) => {
    const { matches, message } = data as ToolSearchData;
    const lines = matches.map(({ name, description }) => `${name}: ${description}`);
    return [...lines, message].join("\n");
  },
};

interface ToolSearchData {
  readonly matches: readonly { readonly name: string; readonly description: string }[];
  readonly message: string;
}

import type { DialectAlias } from "../dialect.ts";

/** What agents bring and no model family has another name for. */
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
].map(asItIs);

/** The same, for families that have no names of their own for the others either. */
export const allAgentTools: readonly DialectAlias[] = [
  ...["task", "skill", "plan_exit"].map(asItIs),
  ...agentTools,
];

function asItIs(id: string): DialectAlias {
  return { name: id, tool: id };
}

import { ToolError } from "@haft/contract";
import type { MachineService } from "@haft/platform/internal";
import { listCosts } from "../commands/definition-costs.ts";
import { openWorkspace } from "../open-workspace.ts";
import type { MachineRecords } from "./machine-records.ts";

type Part = Pick<MachineService, "getCost" | "listUnused">;

const dayMs = 24 * 60 * 60 * 1_000;
const defaultDays = 30;

/** Creates the part of the service that is about tokens and money. */
export function createCostPages(records: MachineRecords): Part {
  const { threads, io } = records;

  /** Returns the IDs of the sessions that a filter selects; `undefined` for all. */
  const select = (
    workspace: string | undefined,
    agent: string | undefined,
  ): readonly string[] | undefined => {
    if (workspace === undefined && agent === undefined) return undefined;
    const all = threads.list({ workspace, opaque: true });
    const spoken = all.filter((thread) => agent === undefined || thread.agent === agent);
    const silent =
      agent === undefined ? records.kept().filter((one) => one.workspace === workspace) : [];
    return [...new Set([...spoken, ...silent].map(({ id }) => id))];
  };

  return {
    getCost: async ({ workspace, agent, since: from, until: to }) => {
      const until = to === undefined ? Date.now() + 1 : Date.parse(to);
      const since = from === undefined ? until - defaultDays * dayMs : Date.parse(from);
      if (since >= until) {
        throw new ToolError("invalid-arguments", "since must be earlier than until.");
      }
      const sessions = select(workspace, agent);
      const tools = (await records.index()).cost({ since, until, sessions });
      const requests = threads
        .usageByDay({ since, until, workspace, agent })
        .map(({ cost, ...row }) => ({ ...row, cost: cost ?? null }));
      const sum = (value: (row: (typeof requests)[number]) => number): number =>
        requests.reduce((total, row) => total + value(row), 0);
      const isPriced = requests.length > 0 && requests.every(({ cost }) => cost !== null);
      return {
        since: new Date(since).toISOString(),
        until: new Date(until).toISOString(),
        total: {
          requests: sum((row) => row.requests),
          input_tokens: sum((row) => row.input_tokens),
          output_tokens: sum((row) => row.output_tokens),
          cached_tokens: sum((row) => row.cached_tokens),
          cost: isPriced ? sum((row) => row.cost ?? 0) : null,
          calls: tools.reduce((total, row) => total + row.calls, 0),
          result_tokens: tools.reduce((total, row) => total + row.tokens, 0),
        },
        requests,
        tools: tools.map(({ tokens, durationMs, ...row }) => ({
          ...row,
          result_tokens: tokens,
          duration_ms: durationMs,
        })),
      };
    },
    listUnused: async ({ workspace, days }) => {
      const options = records.optionsFor(workspace);
      const until = Date.now() + 1;
      const sessions = select(workspace, undefined);
      const index = await records.index();
      const used = new Set(
        index.cost({ since: until - days * dayMs, until, sessions }).map(({ tool }) => tool),
      );
      const opened = await openWorkspace(options, io, { shows: true, makesCalls: false });
      try {
        const costs = listCosts(opened.openSession()).filter(({ tool }) => !used.has(tool));
        return {
          workspace,
          definition_tokens: costs.reduce((total, { tokens }) => total + tokens, 0),
          tools: costs.map(({ tool, source, tokens, shown }) => ({
            tool,
            source,
            definition_tokens: tokens,
            shown,
          })),
        };
      } finally {
        await opened.close();
      }
    },
  };
}

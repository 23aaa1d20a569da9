import { useMemo } from "preact/hooks";
import { useAddress } from "../../address.ts";
import type { MachineCost } from "../../api/machine.ts";
import { showLine } from "../../ui/show.ts";
import { Table } from "../../ui/table.tsx";
import { formatDuration } from "../../ui/time.tsx";
import { formatMoney, type Grouping, groupRequests, groupTools } from "./group-cost.ts";

/** Requests by model, agent or day. */
export function CostTable({
  requests,
  by,
  title,
}: {
  requests: MachineCost["requests"];
  by: Grouping;
  title: string;
}) {
  const address = useAddress();
  const rows = useMemo(() => groupRequests(requests, by), [requests, by]);
  if (rows.length === 0) return <p class="quiet">No requests to models in this time.</p>;
  return (
    <Table
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        {
          title,
          cell: ({ name }) =>
            by === "agent" && address.text("agent") !== name ? (
              <button
                type="button"
                class="plain link"
                title="Only this agent"
                onClick={() => address.change({ agent: name, by: "" })}
              >
                {showLine(name, 80)}
              </button>
            ) : (
              showLine(name, 80)
            ),
        },
        { title: "Requests", class: "number", cell: (row) => toText(row.requests) },
        { title: "Input", class: "number", cell: (row) => toText(row.input_tokens) },
        { title: "Cached", class: "number quiet", cell: (row) => toText(row.cached_tokens) },
        { title: "Output", class: "number", cell: (row) => toText(row.output_tokens) },
        { title: "Money", class: "number", cell: (row) => formatMoney(row.cost, row.isPartial) },
      ]}
    />
  );
}

/** Calls by tool, with what their results put into the context. */
export function ToolTable({ tools }: { tools: MachineCost["tools"] }) {
  const rows = useMemo(() => groupTools(tools), [tools]);
  if (rows.length === 0) return <p class="quiet">No calls in this time.</p>;
  return (
    <>
      <p class="quiet">
        The tokens of results are estimated. Each result counts once, although a model reads it
        again with every later request.
      </p>
      <Table
        rows={rows}
        keyOf={({ tool }) => tool}
        columns={[
          { title: "Tool", cell: ({ tool }) => showLine(tool, 80) },
          { title: "Calls", class: "number", cell: ({ calls }) => toText(calls) },
          {
            title: "Failed",
            class: "number",
            cell: ({ errors }) => <span class={errors > 0 ? "bad" : ""}>{toText(errors)}</span>,
          },
          {
            title: "Tokens of results",
            class: "number",
            cell: ({ result_tokens }) => `≈ ${toText(result_tokens)}`,
          },
          {
            title: "Per call",
            class: "number quiet",
            cell: ({ result_tokens, calls }) => `≈ ${toText(Math.round(result_tokens / calls))}`,
          },
          {
            title: "Time",
            class: "number",
            cell: ({ duration_ms }) => formatDuration(Math.round(duration_ms)),
          },
        ]}
      />
    </>
  );
}

function toText(count: number): string {
  return count.toLocaleString("en");
}

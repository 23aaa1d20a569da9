import { useMemo } from "preact/hooks";
import { useAddress } from "../../address.ts";
import type { MachineCost } from "../../api/machine.ts";
import { showLine } from "../../ui/show.ts";
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
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">{title}</th>
            {["Requests", "Input", "Cached", "Output", "Money"].map((name) => (
              <th scope="col" class="number" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <td>
                {by === "agent" && address.text("agent") !== row.name ? (
                  <button
                    type="button"
                    class="plain link"
                    title="Only this agent"
                    onClick={() => address.change({ agent: row.name, by: "" })}
                  >
                    {showLine(row.name, 80)}
                  </button>
                ) : (
                  showLine(row.name, 80)
                )}
              </td>
              <td class="number">{row.requests.toLocaleString("en")}</td>
              <td class="number">{row.input_tokens.toLocaleString("en")}</td>
              <td class="number quiet">{row.cached_tokens.toLocaleString("en")}</td>
              <td class="number">{row.output_tokens.toLocaleString("en")}</td>
              <td class="number">{formatMoney(row.cost, row.isPartial)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Tool</th>
              {["Calls", "Failed", "Tokens of results", "Per call", "Time"].map((name) => (
                <th scope="col" class="number" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ tool, calls, errors, result_tokens: tokens, duration_ms: ms }) => (
              <tr key={tool}>
                <td>{showLine(tool, 80)}</td>
                <td class="number">{calls.toLocaleString("en")}</td>
                <td class="number">
                  <span class={errors > 0 ? "bad" : ""}>{errors.toLocaleString("en")}</span>
                </td>
                <td class="number">≈ {tokens.toLocaleString("en")}</td>
                <td class="number quiet">≈ {Math.round(tokens / calls).toLocaleString("en")}</td>
                <td class="number">{formatDuration(Math.round(ms))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

import "../styles/cost.css";
import { useQuery } from "@tanstack/react-query";
import { useAddress } from "../address.ts";
import { api, ask } from "../api/client.ts";
import type { MachineCost } from "../api/machine.ts";
import { useSession } from "../api/session.ts";
import { Empty, PageHeader, Pending } from "../ui/notes.tsx";
import { PeriodSelect } from "../ui/period-select.tsx";
import { showLine } from "../ui/show.ts";
import { WorkspacePicker } from "../ui/workspace-picker.tsx";
import { CostChart } from "./cost/cost-chart.tsx";
import { CostTable, ToolTable } from "./cost/cost-tables.tsx";
import { formatMoney, type Grouping } from "./cost/group-cost.ts";
import { UnusedPart } from "./cost/unused-part.tsx";

const periods = {
  "1": "Last 24 hours",
  "7": "Last 7 days",
  "30": "Last 30 days",
  "90": "Last 90 days",
} as const;
const groupings = { model: "Model", agent: "Agent", tool: "Tool", day: "Day" } as const;
const dayMs = 86_400_000;

/** What agents spent: tokens and money by model, agent, tool and day, and definitions that nothing uses. */
export function Page() {
  const { organization, may } = useSession();
  const address = useAddress();
  const days = Object.hasOwn(periods, address.text("days")) ? address.text("days") : "30";
  const by =
    (Object.keys(groupings) as (keyof typeof groupings)[]).find(
      (each) => each === address.text("by"),
    ) ?? "model";
  const workspace = address.text("workspace");
  const agent = address.text("agent");
  const { data, error } = useQuery({
    queryKey: [organization, "machine", "cost", days, workspace, agent],
    queryFn: () => {
      const until = Math.ceil(Date.now() / 60_000) * 60_000;
      const query = {
        since: new Date(until - Number(days) * dayMs).toISOString(),
        until: new Date(until).toISOString(),
        ...(workspace !== "" && { workspace }),
        ...(agent !== "" && { agent }),
      };
      return ask(
        api.GET("/v1/{organization}/machine/cost", { params: { path: { organization }, query } }),
      );
    },
    enabled: may("Machine:Read"),
    placeholderData: (before) => before,
  });
  return (
    <section class="page cost">
      <PageHeader title="Cost and context">
        <WorkspacePicker all="All workspaces" />
        <PeriodSelect periods={periods} days={days} />
      </PageHeader>
      {agent !== "" && (
        <div class="filters">
          <span class="chip">
            Agent is <strong>{showLine(agent, 60)}</strong>
            <button
              type="button"
              class="plain"
              aria-label={`Remove the agent ${showLine(agent, 60)}`}
              onClick={() => address.change({ agent: "" })}
            >
              ×
            </button>
          </span>
        </div>
      )}
      {!may("Machine:Read") ? (
        <Empty title="Your role does not include the cost">
          <p class="quiet">It takes the permission Machine:Read.</p>
        </Empty>
      ) : data === undefined ? (
        <Pending error={error} />
      ) : data.requests.length === 0 && data.tools.length === 0 ? (
        <Empty
          title="Nothing was spent in this time"
          commands={[
            'npx haft agent --model anthropic/claude-sonnet-4-5 "Why does the build fail?"',
          ]}
        >
          <p class="quiet">
            Requests of Haft's own agent are counted here, and results of tools in every session.
          </p>
        </Empty>
      ) : (
        <>
          <Totals total={data.total} requests={data.requests} />
          <CostChart cost={data} />
          <fieldset class="segments" aria-label="Group by">
            {Object.entries(groupings).map(([name, label]) => (
              <button
                type="button"
                key={name}
                aria-pressed={name === by}
                onClick={() => address.change({ by: name === "model" ? "" : name })}
              >
                {label}
              </button>
            ))}
          </fieldset>
          {by === "tool" ? (
            <ToolTable tools={data.tools} />
          ) : (
            <CostTable requests={data.requests} by={by satisfies Grouping} title={groupings[by]} />
          )}
        </>
      )}
      {may("Machine:Read") && data !== undefined && (
        <UnusedPart
          days={Number(days)}
          averageInput={
            data.total.requests === 0 ? undefined : data.total.input_tokens / data.total.requests
          }
        />
      )}
    </section>
  );
}

function Totals({
  total,
  requests,
}: {
  total: MachineCost["total"];
  requests: MachineCost["requests"];
}) {
  const priced = requests.filter(({ cost }) => cost !== null);
  const known = priced.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
  const cost = priced.length === 0 ? null : known;
  const cached =
    total.input_tokens === 0 ? 0 : Math.round((100 * total.cached_tokens) / total.input_tokens);
  const tiles = [
    ["Money", formatMoney(cost, priced.length < requests.length)],
    ["Requests", total.requests.toLocaleString("en")],
    ["Input tokens", total.input_tokens.toLocaleString("en")],
    ["of them cached", `${cached}%`],
    ["Output tokens", total.output_tokens.toLocaleString("en")],
    ["Calls", total.calls.toLocaleString("en")],
    ["Tokens of results", `≈ ${total.result_tokens.toLocaleString("en")}`],
  ] as const;
  return (
    <div class="tiles">
      {tiles.map(([title, value]) => (
        <div class="tile" key={title}>
          <span class="quiet">{title}</span>
          <strong>{value}</strong>
        </div>
      ))}
    </div>
  );
}

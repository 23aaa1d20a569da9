import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useAddress } from "../address.ts";
import { api, ask } from "../api/client.ts";
import { useSession } from "../api/session.ts";
import { statisticsQuery, toolsQuery, toVersionText } from "../api/tools.ts";
import { Facts } from "../ui/facts.tsx";
import { Badge, Empty, PageHeader, Pending, ProblemNote } from "../ui/notes.tsx";
import { PeriodSelect } from "../ui/period-select.tsx";
import { showLine } from "../ui/show.ts";
import { Table } from "../ui/table.tsx";
import { formatDuration, Time } from "../ui/time.tsx";

const spans = { "1": "Last 24 hours", "7": "Last 7 days", "30": "Last 30 days" } as const;

/** How the server and the tools do: readiness, work, disk, and latency and errors by version. */
export function Page() {
  const { organization } = useSession();
  const address = useAddress();
  const days = Number(address.text("days") || "1");
  const ready = useQuery({
    queryKey: ["ready"],
    queryFn: async () => (await (await fetch("/readyz")).json()) as Readiness,
    refetchInterval: 5_000,
  });
  const system = useQuery({
    queryKey: [organization, "ended", "system"],
    queryFn: () =>
      ask(api.GET("/v1/{organization}/system", { params: { path: { organization } } })),
    refetchInterval: 5_000,
  });
  const statistics = useQuery(statisticsQuery(organization, "version", { days }));
  const { data: tools } = useQuery(toolsQuery(organization));
  return (
    <section class="page">
      <PageHeader title="Health">
        <PeriodSelect periods={spans} days={days} />
      </PageHeader>
      <div class="tiles">
        <Tile title="Ready">
          {ready.data === undefined ? (
            "…"
          ) : (
            <Badge tone={ready.data.status === "ok" ? "good" : "bad"}>
              {showLine(ready.data.status, 40)}
            </Badge>
          )}
        </Tile>
        <Tile title="Queued">{system.data?.invocations.queued ?? "…"}</Tile>
        <Tile title="Running">{system.data?.invocations.running ?? "…"}</Tile>
        <Tile title="Waiting">{system.data?.invocations.waiting ?? "…"}</Tile>
        <Tile title="Disk free">{formatDisk(system.data?.disk)}</Tile>
      </div>
      {Object.entries(ready.data?.reasons ?? {}).map(([name, reason]) => (
        <ProblemNote key={name} text={`${name}: ${reason}`} />
      ))}
      <h2>Processes</h2>
      {system.data === undefined ? (
        <Pending error={system.error} />
      ) : (
        <Facts
          facts={system.data.processes.map((each, index) => [
            `${showLine(each.role, 20)} ${index + 1}`,
            <span key="state">
              <Badge tone={each.is_alive ? "good" : "warn"}>
                {each.is_alive ? "alive" : "silent"}
              </Badge>{" "}
              <span class="quiet">
                seen <Time at={each.heartbeat_at} />
              </span>
            </span>,
          ])}
        />
      )}
      <h2>By tool and version</h2>
      {statistics.data === undefined ? (
        <Pending error={statistics.error} />
      ) : statistics.data.groups.length === 0 ? (
        <Empty title="No invocations in this time" />
      ) : (
        <Table
          rows={statistics.data.groups.map((each) => ({
            ...each,
            name: tools?.find(({ id }) => id === each.tool_id)?.name ?? each.tool_id ?? "",
            version: each.tool_version === null ? "" : toVersionText(each.tool_version),
          }))}
          keyOf={({ tool_id, version }) => `${tool_id} ${version}`}
          columns={[
            {
              title: "Tool",
              cell: ({ name, version }) => (
                <Link to="/invocations" search={{ tool: name, version } as never}>
                  {showLine(name, 60)}
                </Link>
              ),
            },
            { title: "Version", cell: ({ version }) => version },
            { title: "Calls", class: "number", cell: ({ count }) => count.toLocaleString("en") },
            {
              title: "Failed",
              class: "number",
              cell: ({ failed, count }) => (
                <span class={failed > 0 ? "bad" : ""}>
                  {failed} ({((100 * failed) / count).toFixed(1)}%)
                </span>
              ),
            },
            { title: "p50", class: "number", cell: ({ p50_ms }) => formatDuration(p50_ms) },
            { title: "p95", class: "number", cell: ({ p95_ms }) => formatDuration(p95_ms) },
            { title: "Longest", class: "number", cell: ({ max_ms }) => formatDuration(max_ms) },
            { title: "Last", class: "number quiet", cell: ({ last_at }) => <Time at={last_at} /> },
          ]}
        />
      )}
    </section>
  );
}

interface Readiness {
  readonly status: string;
  readonly reasons?: Readonly<Record<string, string>>;
}

function Tile({ title, children }: { title: string; children: preact.ComponentChildren }) {
  return (
    <div class="tile">
      <span class="quiet">{title}</span>
      <strong>{children}</strong>
    </div>
  );
}

function formatDisk(disk: { free_bytes: number; total_bytes: number } | null | undefined): string {
  if (disk === undefined) return "…";
  if (disk === null) return "unknown";
  const percent = Math.round((100 * disk.free_bytes) / disk.total_bytes);
  return `${(disk.free_bytes / 2 ** 30).toFixed(0)} GiB (${percent}%)`;
}

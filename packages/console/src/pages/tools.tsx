import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import { useSession } from "../api/session.ts";
import { statisticsQuery, toolsQuery } from "../api/tools.ts";
import { useShortcuts } from "../shell/shortcuts.ts";
import { Badge, Empty, PageHeader, Pending } from "../ui/notes.tsx";
import { showLine } from "../ui/show.ts";
import { Table } from "../ui/table.tsx";
import { formatDuration, Time } from "../ui/time.tsx";
import { FirstRun } from "./inbox/first-run.tsx";
import { SearchField } from "./invocations/filter-bar.tsx";

const states = [
  ["", "Active"],
  ["deprecated", "Deprecated"],
  ["all", "All"],
] as const;

/** The tools of the organization, with how they did in the last 24 hours. */
export function Page() {
  const { organization } = useSession();
  const address = useAddress();
  const navigate = useNavigate();
  const { data, error } = useQuery(toolsQuery(organization));
  const { data: statistics } = useQuery(statisticsQuery(organization, "tool"));
  const [current, setCurrent] = useState(-1);
  const [state, text, tags] = [
    address.text("state"),
    address.text("q").toLowerCase(),
    address.list("tag"),
  ];
  const tools = (data ?? []).filter(
    (tool) =>
      (state === "all" || tool.deprecated === (state === "deprecated")) &&
      `${tool.name} ${tool.description}`.toLowerCase().includes(text) &&
      tags.every((tag) => tool.tags.some((each) => toTagText(each) === tag)),
  );
  const allTags = [...new Set((data ?? []).flatMap((tool) => tool.tags.map(toTagText)))].sort();
  useShortcuts({
    j: () => setCurrent(Math.min(current + 1, tools.length - 1)),
    k: () => setCurrent(Math.max(current - 1, 0)),
    Enter: () =>
      tools[current] !== undefined && void navigate({ to: `/tools/${tools[current].id}` } as never),
  });
  if (data === undefined)
    return (
      <section class="page">
        <Pending error={error} />
      </section>
    );
  if (data.length === 0) {
    return (
      <section class="page">
        <PageHeader title="Tools" />
        <FirstRun />
      </section>
    );
  }
  return (
    <section class="page">
      <PageHeader title="Tools" />
      <div class="filters">
        <SearchField label="Search names and descriptions" />
        <fieldset class="segments" aria-label="State">
          {states.map(([value, label]) => (
            <button
              type="button"
              key={value}
              aria-pressed={state === value}
              onClick={() => address.change({ state: value })}
            >
              {label}
            </button>
          ))}
        </fieldset>
        {allTags.map((tag) => (
          <button
            type="button"
            class="small"
            key={tag}
            aria-pressed={tags.includes(tag)}
            onClick={() =>
              address.change({
                tag: tags.includes(tag) ? tags.filter((each) => each !== tag) : [...tags, tag],
              })
            }
          >
            {showLine(tag, 40)}
          </button>
        ))}
      </div>
      {tools.length === 0 ? (
        <Empty title="Nothing matches" />
      ) : (
        <Table
          current={current}
          rows={tools.map((tool) => ({
            ...tool,
            day: statistics?.groups.find(({ tool_id }) => tool_id === tool.id),
          }))}
          keyOf={({ id }) => id}
          columns={[
            {
              title: "Tool",
              cell: (tool) => (
                <>
                  <Link to={`/tools/${tool.id}` as never}>{showLine(tool.name, 80)}</Link>{" "}
                  {tool.deprecated && <Badge tone="warn">deprecated</Badge>}
                </>
              ),
            },
            {
              title: "Description",
              class: "quiet clip",
              cell: ({ description }) => showLine(description, 160),
            },
            { title: "Calls, 24 h", class: "number", cell: ({ day }) => day?.count ?? 0 },
            {
              title: "Failed",
              class: "number",
              cell: ({ day }) => <span class={day?.failed ? "bad" : ""}>{day?.failed ?? 0}</span>,
            },
            {
              title: "p95",
              class: "number",
              cell: ({ day }) => (day === undefined ? "–" : formatDuration(day.p95_ms)),
            },
            {
              title: "Last call",
              class: "number quiet",
              cell: ({ day }) => (day === undefined ? "–" : <Time at={day.last_at} />),
            },
          ]}
        />
      )}
    </section>
  );
}

function toTagText({ key, value }: { key: string; value: string | null }): string {
  return value === null ? key : `${key}: ${value}`;
}

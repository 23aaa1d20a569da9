import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import { api, ask } from "../api/client.ts";
import { ranges, toApiFilter } from "../api/invocation-filter.ts";
import { useEnded } from "../api/live.ts";
import { useSession } from "../api/session.ts";
import { type Summary, toolsQuery } from "../api/tools.ts";
import { useShortcuts } from "../shell/shortcuts.ts";
import { InvocationRow } from "../ui/invocation-row.tsx";
import { VolumeChart } from "../ui/lazy.tsx";
import { Empty, PageHeader, Pending } from "../ui/notes.tsx";
import { formatMoment } from "../ui/time.tsx";
import { VirtualList } from "../ui/virtual-list.tsx";
import { FilterBar } from "./invocations/filter-bar.tsx";
import { RetryDialog } from "./invocations/retry-dialog.tsx";
import { RunningList } from "./invocations/running-list.tsx";
import { useSummaries } from "./invocations/use-summaries.ts";

const rowHeight = 40;
// Rows that are read ahead: more than a second of quick scrolling.
const rowsAhead = 300;

/** Invocations: a chart and a list over the same filter, and what can be done with several at once. */
export function Page() {
  const { organization, may } = useSession();
  const address = useAddress();
  const navigate = useNavigate();
  const tools = useQuery(toolsQuery(organization));
  const filter = toApiFilter(address, tools.data ?? []);
  const key = JSON.stringify(filter);
  const { pages, error, hasNextPage, fetchNextPage, isFetching, isPending, refetchNewest } =
    useSummaries(organization, filter, tools.isSuccess);
  const rows = useMemo(() => pages.flat(), [pages]);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState(-1);
  const [isRetrying, setRetrying] = useState(false);
  useEnded(refetchNewest);
  // Another filter begins anew.
  useEffect(() => {
    if (key !== "") setCurrent(-1);
  }, [key]);

  const toggle = (index: number, isRange = false): void => {
    const from = isRange && current >= 0 ? Math.min(current, index) : index;
    const to = isRange && current >= 0 ? Math.max(current, index) : index;
    const isOn = !selected.has(rows[index]?.id ?? "");
    const next = new Set(selected);
    for (const { id } of rows.slice(from, to + 1)) {
      if (isOn) next.add(id);
      else next.delete(id);
    }
    setSelected(next);
    setCurrent(index);
  };
  const latestToggle = useRef(toggle);
  latestToggle.current = toggle;
  const onSelect = useCallback(
    (index: number, isRange: boolean) => latestToggle.current(index, isRange),
    [],
  );
  const open = (id: string | undefined): void => {
    if (id !== undefined) void navigate({ to: `/invocations/${id}` } as never);
  };
  useShortcuts({
    j: () => setCurrent(Math.min(current + 1, rows.length - 1)),
    k: () => setCurrent(Math.max(current - 1, 0)),
    x: () => current >= 0 && toggle(current),
    Enter: () => open(rows[current]?.id),
    Escape: () => setSelected(new Set()),
  });
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const text = address.text("q").toLowerCase();
  const words = useMemo(() => text.split(/[\s"]+/u).filter(Boolean), [text]);
  const nameOf = useMemo(() => {
    const names = new Map(tools.data?.map(({ id, name }) => [id, name]));
    return (id: string): string => names.get(id) ?? id;
  }, [tools.data]);

  return (
    <section class="page fill">
      <PageHeader title="Invocations">
        <label>
          <span class="hidden">Time</span>
          <select
            value={address.text("from") === "" ? address.text("range") : "custom"}
            onChange={(event) =>
              address.change({ range: event.currentTarget.value, from: "", to: "" })
            }
          >
            <option value="">All time</option>
            {Object.entries(ranges).map(([name, { label }]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
            {address.text("from") !== "" && (
              <option value="custom">{describeRange(address.text)}</option>
            )}
          </select>
        </label>
      </PageHeader>
      <FilterBar tools={tools.data ?? []} />
      <Volume organization={organization} filter={filter} isReady={tools.isSuccess} />
      <RunningList nameOf={nameOf} />
      {selected.size > 0 && (
        <div class="bulk" role="toolbar" aria-label="Selected invocations">
          <span>{selected.size} selected</span>
          <button
            type="button"
            disabled={!may("Tool:InvokeTool")}
            onClick={() => setRetrying(true)}
          >
            Retry…
          </button>
          <button type="button" class="plain" onClick={() => setSelected(new Set())}>
            Clear
          </button>
        </div>
      )}
      {isPending || error !== null ? (
        <Pending error={error} />
      ) : rows.length === 0 ? (
        <NoRows isFiltered={key !== "{}"} isLooking={hasNextPage} />
      ) : (
        <>
          <div class="rows-head" aria-hidden="true">
            <span />
            <span>Tool</span>
            <span>Result</span>
            <span>Caller</span>
            <span class="number">Duration</span>
            <span class="number">Started</span>
          </div>
          <VirtualList
            label="Invocations"
            class="rows"
            count={rows.length}
            rowHeight={rowHeight}
            current={current}
            rowsAhead={rowsAhead}
            onEnd={onEnd}
            row={(index) => {
              const row = rows[index] as Summary;
              return (
                <InvocationRow
                  row={row}
                  toolName={nameOf(row.tool_id)}
                  words={words}
                  isCurrent={index === current}
                  isSelected={selected.has(row.id)}
                  index={index}
                  onSelect={onSelect}
                />
              );
            }}
          />
        </>
      )}
      {isRetrying && (
        <RetryDialog
          ids={[...selected]}
          onClose={(isDone) => {
            setRetrying(false);
            if (isDone) setSelected(new Set());
          }}
        />
      )}
    </section>
  );
}

function NoRows({ isFiltered, isLooking }: { isFiltered: boolean; isLooking: boolean }) {
  if (isLooking) return <Pending error={null} />;
  return isFiltered ? (
    <Empty title="Nothing matches">
      <p class="quiet">Remove a filter, or choose a longer time.</p>
    </Empty>
  ) : (
    <Empty
      title="No invocations yet"
      commands={[`npx haft tool invoke greeter '{"name": "Ada"}'`]}
    />
  );
}

function describeRange(text: (name: string) => string): string {
  const [from, to] = [text("from"), text("to")];
  return `${formatMoment(from)} – ${to === "" ? "now" : formatMoment(to)}`;
}

function Volume({
  organization,
  filter,
  isReady,
}: {
  organization: string;
  filter: Record<string, unknown>;
  isReady: boolean;
}) {
  const address = useAddress();
  const { data } = useQuery({
    queryKey: [organization, "counted", "volume", JSON.stringify(filter)],
    queryFn: ({ signal }) =>
      ask(
        api.GET("/v1/{organization}/tool/invocation/volume", {
          params: { path: { organization }, query: filter },
          signal,
        }),
      ),
    enabled: isReady,
    placeholderData: (before) => before,
  });
  const series = useMemo(
    () => [
      { label: "Succeeded", color: "--chart-good", values: data?.succeeded ?? [] },
      { label: "Failed", color: "--chart-bad", values: data?.failed ?? [] },
    ],
    [data],
  );
  if (data === undefined) return <div class="chart-space" />;
  const total = sum(data.succeeded) + sum(data.failed);
  return (
    <figure class="volume">
      <figcaption>
        <strong>{total.toLocaleString("en")}</strong> {total === 1 ? "invocation" : "invocations"},{" "}
        <strong class={sum(data.failed) > 0 ? "bad" : ""}>
          {sum(data.failed).toLocaleString("en")}
        </strong>{" "}
        failed
        {data.is_partial && ", the newest that match"}
        <details>
          <summary>As a table</summary>
          <table>
            <thead>
              <tr>
                <th scope="col">From</th>
                <th scope="col">Succeeded</th>
                <th scope="col">Failed</th>
              </tr>
            </thead>
            <tbody>
              {data.succeeded.map((count, index) =>
                count + (data.failed[index] ?? 0) === 0 ? null : (
                  <tr key={String(index)}>
                    <td>{formatMoment(Date.parse(data.from) + index * data.bucket_ms)}</td>
                    <td class="number">{count}</td>
                    <td class="number">{data.failed[index]}</td>
                  </tr>
                ),
              )}
            </tbody>
          </table>
        </details>
      </figcaption>
      {total > 0 && (
        <VolumeChart
          from={Date.parse(data.from)}
          bucketMs={data.bucket_ms}
          series={series}
          onSelect={(from, to) =>
            address.change({
              range: "",
              from: new Date(from).toISOString(),
              to: new Date(to).toISOString(),
            })
          }
        />
      )}
    </figure>
  );
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

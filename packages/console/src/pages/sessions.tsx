import "../styles/sessions.css";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "preact/hooks";
import { type Address, useAddress } from "../address.ts";
import { api, ask } from "../api/client.ts";
import { useMachineEvents } from "../api/machine-events.ts";
import { sourcesQuery } from "../api/machine-sessions.ts";
import { queries } from "../api/queries.ts";
import type { paths } from "../api/schema.d.ts";
import { useSession } from "../api/session.ts";
import { useShortcuts } from "../shell/shortcuts.ts";
import { Empty, PageHeader, Pending } from "../ui/notes.tsx";
import { showLine } from "../ui/show.ts";
import { useRowFocus } from "../ui/use-row-focus.ts";
import { VirtualList } from "../ui/virtual-list.tsx";
import { SearchField } from "./invocations/filter-bar.tsx";
import { SessionRow } from "./sessions/session-row.tsx";

const rowHeight = 56;
const states = [
  ["", "All"],
  ["live", "Live"],
  ["ended", "Ended"],
] as const;

/** The sessions of agents, clients and commands on the server's machine. */
export function Page() {
  const { organization } = useSession();
  const address = useAddress();
  const filter = toFilter(address);
  const key = JSON.stringify(filter);
  const { data, error, isPending, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: [organization, "machine", "sessions", key],
    queryFn: ({ pageParam }) =>
      ask(
        api.GET("/v1/{organization}/machine/sessions", {
          params: {
            path: { organization },
            query: { ...filter, ...(pageParam !== "" && { continuation_token: pageParam }) },
          },
        }),
      ),
    initialPageParam: "",
    getNextPageParam: (last) => last.continuation_token ?? undefined,
    placeholderData: (before) => before,
  });
  const rows = useMemo(() => data?.pages.flatMap(({ sessions }) => sessions) ?? [], [data]);
  const [currentId, setCurrentId] = useState("");
  const focus = useRowFocus();
  const current = rows.findIndex(({ id }) => id === currentId);
  const move = (to: number): void => {
    const id = rows[Math.min(Math.max(to, 0), rows.length - 1)]?.id;
    if (id === undefined) return;
    setCurrentId(id);
    focus.request(id);
  };
  useMachineEvents(() => {
    for (const part of ["sessions", "sources"]) {
      void queries.invalidateQueries({ queryKey: [organization, "machine", part] });
    }
  });
  useShortcuts({
    j: () => move(current + 1),
    k: () => move(current - 1),
  });
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);

  return (
    <section class="page fill">
      <PageHeader title="Sessions" />
      <Filters address={address} />
      {isPending || error !== null ? (
        <Pending error={error} />
      ) : rows.length === 0 ? (
        <NoSessions isFiltered={key !== "{}"} />
      ) : (
        <VirtualList
          label="Sessions"
          class="sessions"
          count={rows.length}
          rowHeight={rowHeight}
          current={current}
          onEnd={onEnd}
          keyOf={(index) => rows[index]?.id ?? index}
          row={(index) => {
            const row = rows[index];
            return row && <SessionRow session={row} isCurrent={index === current} focus={focus} />;
          }}
        />
      )}
    </section>
  );
}

type SessionFilter = NonNullable<
  paths["/v1/{organization}/machine/sessions"]["get"]["parameters"]["query"]
>;

function toFilter({ text }: Address): SessionFilter {
  const [query, workspace, agent] = ["q", "workspace", "agent"].map((name) => text(name).trim());
  const state = text("state");
  return {
    ...(query && { query }),
    ...(workspace && { workspace }),
    ...(agent && { agent }),
    ...((state === "live" || state === "ended") && { state }),
    ...(text("failed") === "yes" && { failed: true }),
  };
}

function Filters({ address }: { address: Address }) {
  const { organization } = useSession();
  const { data } = useQuery(sourcesQuery(organization));
  return (
    <div class="filters">
      <SearchField label="Search messages and calls" />
      <fieldset class="segments" aria-label="State">
        {states.map(([state, label]) => (
          <button
            type="button"
            key={state}
            aria-pressed={address.text("state") === state}
            onClick={() => address.change({ state })}
          >
            {label}
          </button>
        ))}
      </fieldset>
      <Choice
        label="Workspace"
        name="workspace"
        choices={data?.workspaces.map(({ path }) => path) ?? []}
      />
      <Choice label="Agent or client" name="agent" choices={data?.agents ?? []} />
      <label class="check">
        <input
          type="checkbox"
          checked={address.text("failed") === "yes"}
          onChange={({ currentTarget }) =>
            address.change({ failed: currentTarget.checked ? "yes" : "" })
          }
        />
        With failed calls
      </label>
    </div>
  );
}

function Choice({
  label,
  name,
  choices,
}: {
  label: string;
  name: string;
  choices: readonly string[];
}) {
  const address = useAddress();
  const chosen = address.text(name);
  const all = chosen === "" || choices.includes(chosen) ? choices : [chosen, ...choices];
  return (
    <select
      aria-label={label}
      value={chosen}
      onChange={({ currentTarget }) => address.change({ [name]: currentTarget.value })}
    >
      <option value="">{label}: all</option>
      {all.map((choice) => (
        <option key={choice} value={choice}>
          {showLine(choice, 60)}
        </option>
      ))}
    </select>
  );
}

function NoSessions({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <Empty title="Nothing matches">
      <p class="quiet">Remove a filter, or search for other words.</p>
    </Empty>
  ) : (
    <Empty
      title="No sessions yet"
      commands={[
        'npx haft agent --model anthropic/claude-sonnet-4-5 "Why does the build fail?"',
        "npx haft call read path=README.md",
        "npx haft mcp install claude",
      ]}
    >
      <p class="quiet">
        Every agent, client and command that uses Haft on this machine appears here. Start one:
      </p>
    </Empty>
  );
}

import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback } from "preact/hooks";
import { useAddress } from "../address.ts";
import { api, ask } from "../api/client.ts";
import { useSession } from "../api/session.ts";
import { Empty, PageHeader, Pending } from "../ui/notes.tsx";
import { showLine } from "../ui/show.ts";
import { Time } from "../ui/time.tsx";
import { attempt } from "../ui/toasts.tsx";
import { VirtualList } from "../ui/virtual-list.tsx";
import { SearchField } from "./invocations/filter-bar.tsx";

/** Who changed what, with filters by action, object and user, and an export of all of it. */
export function Page() {
  const { organization } = useSession();
  const address = useAddress();
  const filter = Object.fromEntries(
    (["action", "target", "user_id"] as const).flatMap((name) =>
      address.text(name) === ""
        ? []
        : [
            [
              name,
              address
                .text(name)
                .split(/[\s,]+/u)
                .filter(Boolean),
            ],
          ],
    ),
  );
  const query = useInfiniteQuery({
    queryKey: [organization, "audit", JSON.stringify(filter)],
    queryFn: ({ pageParam }) =>
      ask(
        api.GET("/v1/{organization}/organization/audit", {
          params: { path: { organization }, query: { ...filter, continuation_token: pageParam } },
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: (last) => last.continuation_token ?? undefined,
  });
  const { data, error, hasNextPage, isFetching, fetchNextPage } = query;
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const rows = data?.pages.flatMap(({ entries }) => entries) ?? [];
  return (
    <section class="page fill">
      <PageHeader title="Audit">
        <button
          type="button"
          onClick={() => void attempt(() => exportAll(organization), "Exported.")}
        >
          Export
        </button>
      </PageHeader>
      <div class="filters">
        <SearchField label="Actions, such as tool.create" name="action" />
        <SearchField label="ID of what was changed" name="target" />
        <SearchField label="ID of the user" name="user_id" />
      </div>
      {data === undefined ? (
        <Pending error={error} />
      ) : rows.length === 0 ? (
        <Empty title="Nothing matches" />
      ) : (
        <VirtualList
          label="Audit"
          class="rows audit"
          count={rows.length}
          rowHeight={40}
          onEnd={onEnd}
          row={(index) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <div class="row">
                <strong>{showLine(row.action, 60)}</strong>
                <code class="id">{showLine(row.target, 60)}</code>
                <span class="row-text quiet">{showLine(JSON.stringify(row.detail))}</span>
                <code class="id">{showLine(row.user_id, 30)}</code>
                <span class="number quiet">
                  <Time at={row.created_at} />
                </span>
              </div>
            );
          }}
        />
      )}
    </section>
  );
}

/** Reads the whole trail and saves it as a file, one line of JSON each. */
async function exportAll(organization: string): Promise<void> {
  const parts: string[] = [];
  let after = 0;
  for (;;) {
    const text = await ask(
      api.GET("/v1/{organization}/organization/audit/export", {
        params: { path: { organization }, query: { after } },
        parseAs: "text",
      }),
    );
    const lines = text.trimEnd().split("\n");
    if (text === "") break;
    parts.push(text);
    after = (JSON.parse(lines.at(-1) ?? "{}") as { id: number }).id;
    if (lines.length < 1_000) break;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(parts, { type: "application/x-ndjson" }));
  link.download = "audit.ndjson";
  link.click();
  URL.revokeObjectURL(link.href);
}

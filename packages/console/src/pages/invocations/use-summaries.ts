import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import type { Summary } from "../../api/tools.ts";

const pageSize = 100;

/** Pages of the list. New rows come in on top without asking for the others again. */
export function useSummaries(
  organization: string,
  filter: Record<string, unknown>,
  isReady: boolean,
) {
  const [newest, setNewest] = useState<{ key: string; rows: readonly Summary[] }>({
    key: "",
    rows: [],
  });
  const key = JSON.stringify(filter);
  const read = useCallback(
    (query: object, signal?: AbortSignal) =>
      ask(
        api.GET("/v1/{organization}/tool/invocation/summary", {
          params: { path: { organization }, query: { limit: pageSize, ...query } },
          ...(signal !== undefined && { signal }),
        }),
      ),
    [organization],
  );
  const query = useInfiniteQuery({
    queryKey: [organization, "summaries", key],
    queryFn: ({ pageParam, signal }) =>
      read({ ...filter, ...(pageParam !== "" && { continuation_token: pageParam }) }, signal),
    initialPageParam: "",
    getNextPageParam: (last) => last.continuation_token ?? undefined,
    enabled: isReady,
    staleTime: 30_000,
    refetchOnWindowFocus: false,
  });
  const known = query.data?.pages;
  const refetchNewest = useCallback(() => {
    void read(JSON.parse(key)).then(({ invocations }) => setNewest({ key, rows: invocations }));
  }, [read, key]);
  const pages = useMemo(() => {
    const listed = known?.map(({ invocations }) => invocations) ?? [];
    const ids = new Set(listed.flat().map(({ id }) => id));
    const added = newest.key === key ? newest.rows.filter(({ id }) => !ids.has(id)) : [];
    return [added, ...listed];
  }, [known, newest, key]);
  const { error, hasNextPage, fetchNextPage, isFetching, isPending } = query;
  const count = pages.reduce((sum, rows) => sum + rows.length, 0);
  // Where few pass the filter, pages are short. The first rows need no scrolling.
  useEffect(() => {
    if (hasNextPage && !isFetching && error === null && count < pageSize) void fetchNextPage();
  }, [hasNextPage, isFetching, error, count, fetchNextPage]);
  return { pages, error, hasNextPage, fetchNextPage, isFetching, isPending, refetchNewest };
}

import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./client.ts";

/** What is known of the server's data. The event stream says when it is out of date. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) =>
        count < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500),
      refetchOnWindowFocus: true,
    },
  },
});

import { queryOptions } from "@tanstack/react-query";
import { createBatchLoader } from "./batch-loader.ts";
import { api, ask } from "./client.ts";
import type { paths } from "./schema.d.ts";
import type { Ok } from "./tools.ts";

/** A session of an agent, a client or a command on the server's machine. */
export type MachineSession = Ok<paths["/v1/{organization}/machine/sessions/{session}"]["get"]>;

/** A call without its whole arguments and result. */
export type ListedCall = Ok<
  paths["/v1/{organization}/machine/sessions/{session}/calls"]["get"]
>["calls"][number];

/** A whole call. */
export type MachineCall = Ok<
  paths["/v1/{organization}/machine/sessions/{session}/calls/{call}"]["get"]
>;

/** What a person, a model or Haft said. */
export type MachineMessage = Ok<
  paths["/v1/{organization}/machine/sessions/{session}/messages"]["get"]
>["messages"][number];

/** Calls and messages in the order of reading, as columns. */
export type MachineTimeline = Ok<
  paths["/v1/{organization}/machine/sessions/{session}/timeline"]["get"]
>;

/** The states of calls that did not do what was asked. */
export const failedStates: readonly string[] = ["error", "cancelled", "rejected-by-user"];

/** The address of a session's page. */
export function toSessionPath(session: string): string {
  return `/sessions/${session}`;
}

/** One session. */
export function sessionQuery(organization: string, session: string) {
  return queryOptions({
    queryKey: [organization, "machine", "session", session],
    queryFn: () =>
      ask(
        api.GET("/v1/{organization}/machine/sessions/{session}", {
          params: { path: { organization, session } },
        }),
      ),
  });
}

/** The directories, agents and clients that sessions can be filtered by. */
export function sourcesQuery(organization: string) {
  return queryOptions({
    queryKey: [organization, "machine", "sources"],
    queryFn: () =>
      ask(api.GET("/v1/{organization}/machine/workspaces", { params: { path: { organization } } })),
  });
}

/** The order of calls and messages that match a filter. */
export function timelineQuery(
  organization: string,
  session: string,
  filter: {
    state?: readonly string[];
    tool?: readonly string[];
    changed?: boolean;
    query?: string;
  },
) {
  return queryOptions({
    queryKey: [organization, "machine", "timeline", session, filter],
    queryFn: () =>
      ask(
        api.GET("/v1/{organization}/machine/sessions/{session}/timeline", {
          params: { path: { organization, session }, query: filter as object },
        }),
      ),
    // Comparing long columns takes longer than showing them again.
    structuralSharing: false,
  });
}

/** A call of a list. It has ended, so it does not change. */
export function listedCallQuery(organization: string, session: string, id: number) {
  return queryOptions({
    queryKey: [organization, "machine", "listed", session, id],
    queryFn: () => loadCall(`${organization} ${session}`, id),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** A whole call. Whether it can be undone may change. */
export function callQuery(organization: string, session: string, call: number) {
  return queryOptions({
    queryKey: [organization, "machine", "call", session, call],
    queryFn: () =>
      ask(
        api.GET("/v1/{organization}/machine/sessions/{session}/calls/{call}", {
          params: { path: { organization, session, call: String(call) } },
        }),
      ),
  });
}

/** A message. */
export function messageQuery(organization: string, session: string, at: number) {
  return queryOptions({
    queryKey: [organization, "machine", "message", session, at],
    queryFn: () => loadMessage(`${organization} ${session}`, at),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function toPlace(group: string): { organization: string; session: string } {
  const [organization = "", session = ""] = group.split(" ");
  return { organization, session };
}

const loadCall = createBatchLoader<ListedCall>(async (group, ids) => {
  const { calls } = await ask(
    api.GET("/v1/{organization}/machine/sessions/{session}/calls", {
      params: { path: toPlace(group), query: { id: [...ids], limit: ids.length } },
    }),
  );
  return new Map(calls.map((call) => [call.id, call]));
});

const messagesPerPage = 200;

const loadMessage = createBatchLoader<MachineMessage>(async (group, ids) => {
  const found = new Map<number, MachineMessage>();
  const last = Math.max(...ids);
  let after: number | null = Math.min(...ids) - 1;
  while (after !== null && after < last) {
    const page: Ok<paths["/v1/{organization}/machine/sessions/{session}/messages"]["get"]> =
      await ask(
        api.GET("/v1/{organization}/machine/sessions/{session}/messages", {
          params: { path: toPlace(group), query: { after, limit: messagesPerPage } },
        }),
      );
    for (const message of page.messages) found.set(message.at, message);
    after = page.continuation_token;
  }
  return found;
});

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { useSession } from "../../api/session.ts";
import { Badge, PageHeader, Pending } from "../../ui/notes.tsx";
import { showLine } from "../../ui/show.ts";
import { formatMoment } from "../../ui/time.tsx";
import { attempt } from "../../ui/toasts.tsx";

/** An asynchronous invocation that has not ended: what it waits for, and its events as they come. */
export function RunningInvocation({ id }: { id: string }) {
  const { organization } = useSession();
  const path = { organization, invocation_id: id };
  const events = useEvents(organization, id);
  const { data, error } = useQuery({
    queryKey: [organization, "ended", "async", id, events.length],
    queryFn: () =>
      ask(
        api.GET("/v1/{organization}/tool/invocation/{invocation_id}/status", { params: { path } }),
      ),
    retry: false,
    placeholderData: (before) => before,
  });
  if (data === undefined) {
    return (
      <section class="page">
        <Pending error={error} />
      </section>
    );
  }
  const cancel = (): void =>
    void attempt(async () => {
      await ask(
        api.POST("/v1/{organization}/tool/invocation/{invocation_id}/cancel", { params: { path } }),
      );
      await queries.invalidateQueries({ queryKey: [organization, "ended"] });
    }, "Cancelled.");
  return (
    <section class="page">
      <PageHeader
        title={
          <>
            Invocation <Badge tone="warn">{data.state}</Badge>
          </>
        }
      >
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      </PageHeader>
      {data.waiting_for.map((each) => (
        <p key={`${each.kind} ${each.until}`}>
          {each.kind === "sleep" ? "Sleeps" : "Waits for an answer"} until{" "}
          {formatMoment(each.until)}{" "}
          {each.inbox_id !== null && (
            <Link to={`/inbox/${each.inbox_id}` as never}>{showLine(each.question ?? "Open")}</Link>
          )}
        </p>
      ))}
      <h2>Events</h2>
      <ol class="events">
        {events.map(({ name, data: text }, index) => (
          <li key={String(index)}>
            <code>{name}</code> {showLine(text, 500)}
          </li>
        ))}
      </ol>
    </section>
  );
}

function useEvents(
  organization: string,
  id: string,
): readonly { readonly name: string; readonly data: string }[] {
  const [events, setEvents] = useState<readonly { name: string; data: string }[]>([]);
  useEffect(() => {
    const source = new EventSource(`/v1/${organization}/tool/invocation/${id}/events`);
    for (const name of ["state", "status", "result"]) {
      source.addEventListener(name, ({ data }) => {
        setEvents((before) => [...before.slice(-500), { name, data: String(data) }]);
        if (name !== "result") return;
        source.close();
        void queries.invalidateQueries({ queryKey: [organization, "ended"] });
      });
    }
    return () => source.close();
  }, [organization, id]);
  return events;
}

import "../styles/sessions.css";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useCallback } from "preact/hooks";
import { useAddress, usePathPart } from "../address.ts";
import { useMachineEvents } from "../api/machine-events.ts";
import {
  failedStates,
  type MachineSession,
  sessionQuery,
  timelineQuery,
  toSessionPath,
} from "../api/machine-sessions.ts";
import { queries } from "../api/queries.ts";
import { useSession } from "../api/session.ts";
import { Badge, Empty, PageHeader, Pending } from "../ui/notes.tsx";
import { showCount, showLine } from "../ui/show.ts";
import { Tabs } from "../ui/tabs.tsx";
import { formatMoment, Time } from "../ui/time.tsx";
import { ForkPart } from "./session/fork-part.tsx";
import { Thread } from "./session/thread.tsx";
import { ThreadFilters } from "./session/thread-filters.tsx";
import { Timeline } from "./session/timeline.tsx";

const tabs = { thread: "Thread", timeline: "Timeline" } as const;

/** One session: what was said and called, as a thread or on a timeline. */
export function Page() {
  const { organization, may } = useSession();
  const id = `${usePathPart("workspaceId")}/${usePathPart("name")}`;
  const address = useAddress();
  const tab = address.text("tab") === "timeline" ? "timeline" : "thread";
  const filter = toFilter(address);
  const { data: session, error } = useQuery(sessionQuery(organization, id));
  // What can be filtered by, even if a filter leaves nothing.
  const { data: whole } = useQuery(timelineQuery(organization, id, {}));
  const { data: timeline, error: problem } = useQuery({
    ...timelineQuery(organization, id, filter),
    placeholderData: (before, query) => (query?.queryKey[3] === id ? before : undefined),
  });
  useMachineEvents((events) => {
    const known = new Set(whole?.sessions);
    const isOurs = events.some(
      (event) => event.session === undefined || event.session === id || known.has(event.session),
    );
    // A subagent's first event comes before its session is in the timeline.
    if (!isOurs && session?.state !== "live") return;
    for (const part of ["session", "timeline"]) {
      void queries.invalidateQueries({ queryKey: [organization, "machine", part, id] });
    }
  });
  const openCall = useCallback(
    (call: number) => address.change({ tab: "", call: String(call) }),
    [address.change],
  );
  if (session === undefined) {
    return (
      <section class="page">
        <Pending error={error} />
      </section>
    );
  }
  return (
    <section class="page fill session-page">
      <PageHeader
        title={
          <>
            {showLine(session.title ?? session.name, 120)}{" "}
            <Badge tone={session.state === "live" ? "accent" : "neutral"}>{session.state}</Badge>
          </>
        }
      >
        {session.usage !== null && <ForkPart session={id} label="Fork" />}
        <a
          class="button"
          href={`/v1/${organization}/machine/sessions/${encodeURIComponent(id)}/export`}
          download={`${session.name}.html`}
        >
          Export HTML
        </a>
      </PageHeader>
      <SessionFacts session={session} />
      <div class="session-bar">
        <Tabs
          label="Views of the session"
          tabs={tabs}
          current={tab}
          onChange={(name) => address.change({ tab: name === "thread" ? "" : name })}
        />
        <ThreadFilters tools={whole?.tools ?? []} />
      </div>
      {timeline === undefined ? (
        <Pending error={problem} />
      ) : timeline.id.length + timeline.running.length === 0 ? (
        <Empty title={isEmpty(filter) ? "Nothing was called or said yet" : "Nothing matches"} />
      ) : tab === "thread" ? (
        <Thread
          timeline={timeline}
          isLive={session.state === "live"}
          mayChange={may("Machine:Undo")}
          hasAgent={session.usage !== null}
        />
      ) : (
        <Timeline timeline={timeline} onOpen={openCall} />
      )}
      {timeline !== undefined && timeline.omitted > 0 && (
        <p class="quiet">
          {timeline.omitted.toLocaleString("en")} more are not shown. Filter, or export the session.
        </p>
      )}
    </section>
  );
}

function toFilter({ text, list }: ReturnType<typeof useAddress>) {
  const query = text("q").trim();
  const tool = list("tool");
  const shown = text("show");
  return {
    ...(query !== "" && { query }),
    ...(tool.length > 0 && { tool }),
    ...(shown === "failed" && { state: failedStates }),
    ...(shown === "changed" && { changed: true }),
  };
}

function isEmpty(filter: object): boolean {
  return Object.keys(filter).length === 0;
}

function SessionFacts({ session }: { session: MachineSession }) {
  const { usage, parent, forked_from: origin } = session;
  const tokens = usage === null ? 0 : usage.input_tokens + usage.output_tokens;
  return (
    <p class="session-facts quiet">
      <span>{showLine(session.agent ?? session.client ?? "commands", 60)}</span>
      <span>
        {showLine(session.name, 70)} in <code>{showLine(session.workspace, 200)}</code>
        {!session.workspace_exists && " (no longer there)"}
      </span>
      <span title={session.started_at === null ? "" : formatMoment(session.started_at)}>
        last used <Time at={session.last_used_at} />
      </span>
      <span>
        {showCount(session.calls, "call")}
        {session.errors > 0 && <span class="bad">, {session.errors} failed</span>}
        {session.changed_files > 0 && `, ${showCount(session.changed_files, "file")} changed`}
      </span>
      {tokens > 0 && (
        <span>
          {tokens.toLocaleString("en")} tokens
          {usage?.cost != null && `, ${usage.cost.toFixed(2)}`}
        </span>
      )}
      {parent !== null && <SessionLink label="Started by" session={parent} />}
      {origin !== null && <SessionLink label="Forked from" session={origin} />}
    </p>
  );
}

function SessionLink({ label, session }: { label: string; session: string }) {
  return (
    <span>
      {label}{" "}
      <Link to={toSessionPath(session) as never}>{showLine(session.split("/")[1] ?? "", 70)}</Link>
    </span>
  );
}

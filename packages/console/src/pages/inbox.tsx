import "../styles/inbox.css";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import { api, ask } from "../api/client.ts";
import { type InboxItem, isYesOrNo, toAnswer } from "../api/inbox.ts";
import { queries } from "../api/queries.ts";
import { useSession } from "../api/session.ts";
import { toolsQuery } from "../api/tools.ts";
import { useShortcuts } from "../shell/shortcuts.ts";
import { Badge, Empty, PageHeader, Pending } from "../ui/notes.tsx";
import { showLine } from "../ui/show.ts";
import { Time } from "../ui/time.tsx";
import { toast } from "../ui/toasts.tsx";
import { FirstRun } from "./inbox/first-run.tsx";

const states = ["waiting", "answered", "expired", "cancelled"] as const;

/** The questions and approvals that wait for a person. */
export function Page() {
  const { organization, may } = useSession();
  const address = useAddress();
  const navigate = useNavigate();
  const state = states.find((each) => each === address.text("state")) ?? "waiting";
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState(-1);
  const { data: tools } = useQuery(toolsQuery(organization));
  const { data, error } = useQuery({
    queryKey: [organization, "inbox", state],
    queryFn: () =>
      ask(
        api.GET("/v1/{organization}/inbox", {
          params: { path: { organization }, query: { state: [state] } },
        }),
      ),
    enabled: may("Inbox:GetItem"),
  });
  const items = data?.items ?? [];
  const toggle = (id: string): void => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  };
  useShortcuts({
    j: () => setCurrent(Math.min(current + 1, items.length - 1)),
    k: () => setCurrent(Math.max(current - 1, 0)),
    x: () => items[current] !== undefined && toggle(items[current].id),
    Enter: () =>
      items[current] !== undefined && void navigate({ to: `/inbox/${items[current].id}` } as never),
    Escape: () => setSelected(new Set()),
  });
  const chosen = items.filter(({ id }) => selected.has(id));
  // Yes and no fit several at once; other answers need a look at each.
  const areSimple = chosen.length > 0 && chosen.every(isYesOrNo);
  const answerAll = async (isYes: boolean): Promise<void> => {
    let answered = 0;
    let problem = "";
    for (const item of chosen) {
      const params = { path: { organization, item_id: item.id } };
      const body = { answer: toAnswer(item, isYes) };
      await ask(api.POST("/v1/{organization}/inbox/{item_id}", { params, body })).then(
        () => answered++,
        (error: Error) => {
          problem = ` ${error.message}`;
        },
      );
    }
    toast(`Answered ${answered} of ${chosen.length}.${problem}`, problem !== "");
    setSelected(new Set());
    await queries.invalidateQueries({ queryKey: [organization, "inbox"] });
  };

  return (
    <section class="page">
      <PageHeader title="Inbox">
        <fieldset class="segments" aria-label="State">
          {states.map((each) => (
            <button
              type="button"
              key={each}
              aria-pressed={each === state}
              onClick={() => address.change({ state: each === "waiting" ? "" : each })}
            >
              {each}
            </button>
          ))}
        </fieldset>
      </PageHeader>
      {chosen.length > 0 && (
        <div class="bulk" role="toolbar" aria-label="Selected items">
          <span>{chosen.length} selected</span>
          {areSimple ? (
            <>
              <button type="button" onClick={() => void answerAll(true)}>
                Answer yes
              </button>
              <button type="button" onClick={() => void answerAll(false)}>
                Answer no
              </button>
            </>
          ) : (
            <span class="quiet">Open each one: not all can be answered with yes or no.</span>
          )}
        </div>
      )}
      {!may("Inbox:GetItem") ? (
        <Empty title="Your role does not include the inbox">
          <p class="quiet">It takes the permission Inbox:GetItem.</p>
        </Empty>
      ) : data === undefined ? (
        <Pending error={error} />
      ) : items.length === 0 ? (
        state === "waiting" && tools?.length === 0 ? (
          <FirstRun />
        ) : (
          <Empty title={state === "waiting" ? "Nothing waits for you" : `Nothing ${state}`}>
            <p class="quiet">
              Tools that ask a person, with <code>haft.ask</code>, and calls of agents that need
              approval, with <code>--wait</code>, wait here. This page updates by itself.
            </p>
          </Empty>
        )
      ) : (
        <ul class="cards">
          {items.map((item, index) => (
            <li key={item.id} data-current={index === current}>
              {state === "waiting" && (
                <input
                  type="checkbox"
                  checked={selected.has(item.id)}
                  aria-label={`Select ${showLine(titleOf(item), 60)}`}
                  onClick={() => toggle(item.id)}
                />
              )}
              <Link to={`/inbox/${item.id}` as never}>
                <ItemLines item={item} />
              </Link>
              <span class="quiet">
                {state === "waiting" ? (
                  <>
                    due <Time at={item.deadline_at} />
                  </>
                ) : (
                  <Badge>{item.state}</Badge>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** What asks, in lines: for a call of a session what it would do, where and why. */
function ItemLines({ item }: { item: InboxItem }) {
  const { call, tool_name: tool, tool_version: version } = item;
  const asked = (
    <>
      asked <Time at={item.created_at} />
    </>
  );
  if (call === null) {
    return (
      <>
        <strong>{showLine(item.question, 300)}</strong>
        <span class="quiet">
          {showLine(tool, 60)} {showLine(version ?? "", 30)} {asked}
        </span>
      </>
    );
  }
  return (
    <>
      <strong class="about">{showLine(titleOf(item), 300)}</strong>
      <span class="quiet">
        {showLine(call.reason, 200)} · {showLine(call.workspace.split("/").at(-1) ?? "", 60)} ·{" "}
        {showLine(call.asker, 60)} {asked}
      </span>
    </>
  );
}

/** A question, or a call in one line: its tool, and what it is about. */
function titleOf({ question, call, arguments: args }: InboxItem): string {
  if (call === null) return question;
  const { command, path, url } = (args ?? {}) as Record<string, unknown>;
  const about = [command, path, url].find((value) => typeof value === "string");
  return `${call.name} ${about ?? JSON.stringify(args)}`;
}

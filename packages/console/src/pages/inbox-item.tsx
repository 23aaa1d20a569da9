import "../styles/rules.css";
import "../styles/inbox.css";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { usePathPart } from "../address.ts";
import { api, ask } from "../api/client.ts";
import type { InboxItem } from "../api/inbox.ts";
import { useSession } from "../api/session.ts";
import { CopyButton } from "../ui/command.tsx";
import { Facts } from "../ui/facts.tsx";
import { Badge, PageHeader, Pending } from "../ui/notes.tsx";
import { ResultView } from "../ui/result-view.tsx";
import { show, showLine } from "../ui/show.ts";
import { formatMoment, Time } from "../ui/time.tsx";
import { AnswerForm } from "./inbox/answer-form.tsx";
import { CallPreview } from "./inbox/call-preview.tsx";
import { CallVerdict } from "./inbox/call-verdict.tsx";

/** One question or approval: what it is about, who asks, and the form for its answer. */
export function Page() {
  const { organization, may } = useSession();
  const id = usePathPart("itemId");
  const { data: item, error } = useQuery({
    queryKey: [organization, "inbox", "item", id],
    queryFn: () =>
      ask(
        api.GET("/v1/{organization}/inbox/{item_id}", {
          params: { path: { organization, item_id: id } },
        }),
      ),
  });
  if (item === undefined)
    return (
      <section class="page">
        <Pending error={error} />
      </section>
    );
  const { call } = item;
  return (
    <section class="page narrow inbox-item">
      <PageHeader title={call === null ? "Question" : <>Approve {showLine(call.name, 60)}?</>}>
        <Badge tone={item.state === "waiting" ? "warn" : "neutral"}>{item.state}</Badge>
        <CopyButton text={`${location.origin}/inbox/${id}?org=${organization}`} label="Copy link" />
      </PageHeader>
      {call === null ? (
        <p class="question">{show(item.question)}</p>
      ) : (
        <>
          <p class="question reason">{sentence(show(call.reason))}</p>
          <CallPreview item={item} />
          {item.state === "waiting" && call.effects === null && <CallVerdict item={item} />}
        </>
      )}
      {item.state === "waiting" && (
        <p>
          Due <Time at={item.deadline_at} />
          <span class="quiet">
            {" "}
            ({formatMoment(item.deadline_at)})
            {call !== null && ". Without an answer it is denied then."}
          </span>
        </p>
      )}
      {item.state === "waiting" ? (
        may("Inbox:AnswerItem") && <AnswerForm organization={organization} item={item} />
      ) : (
        <Outcome item={item} />
      )}
      <Facts facts={toFacts(item)} />
      {call === null && (
        <>
          <h2>Arguments of the call</h2>
          <ResultView text={JSON.stringify(item.arguments, null, 2)} label="Arguments" />
        </>
      )}
    </section>
  );
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

/** What was answered, by whom, and what it stored. */
function Outcome({ item }: { item: InboxItem }) {
  const { call } = item;
  return (
    <Facts
      facts={[
        ["Answer", <code key="answer">{showLine(JSON.stringify(item.answer), 500)}</code>],
        ["Answered by", showLine(item.answered_by ?? "no one", 60)],
        ["At", item.answered_at === null ? "never" : formatMoment(item.answered_at)],
        ...(call === null || call.stored_rules === null
          ? []
          : [
              [
                "Stored rules",
                <code key="rules" class="reason">
                  {call.stored_rules.map((rule) => showLine(rule, 2_000)).join("\n")}
                </code>,
              ] as const,
            ]),
        ...(call === null || call.rejection === null
          ? []
          : [["Told the model", show(call.rejection)] as const]),
      ]}
    />
  );
}

function toFacts(item: InboxItem): Parameters<typeof Facts>[0]["facts"] {
  const { call, source } = item;
  const asked = ["Asked", <Time key="at" at={item.created_at} />] as const;
  const started = ["Started by", showLine(item.user_id, 60)] as const;
  if (call !== null) {
    return [
      ["Workspace", <code key="root">{showLine(call.workspace, 300)}</code>],
      ["Session", showLine(source.id, 100)],
      ["Asked by", `${showLine(call.asker, 60)} of ${showLine(item.user_id, 60)}`],
      asked,
      [
        "Process",
        call.is_held ? "waits for the answer" : "has ended; the answer is kept until the deadline",
      ],
    ];
  }
  return [
    ["Tool", `${showLine(item.tool_name, 80)} ${showLine(item.tool_version ?? "", 30)}`],
    asked,
    started,
    [
      "Waiting",
      source.type === "invocation" ? (
        <Link key="link" to={`/invocations/${source.id}` as never}>
          Invocation {source.id}
        </Link>
      ) : (
        `Session ${showLine(source.id, 80)}`
      ),
    ],
    [
      "Who may answer",
      item.answerers === null
        ? "Everyone with the permission"
        : showLine(item.answerers.join(", ")),
    ],
  ];
}

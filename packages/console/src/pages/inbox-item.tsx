import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "preact/hooks";
import { usePathPart } from "../address.ts";
import { api, ask } from "../api/client.ts";
import { type InboxItem, isYesOrNo } from "../api/inbox.ts";
import { queries } from "../api/queries.ts";
import { useSession } from "../api/session.ts";
import { CopyButton } from "../ui/command.tsx";
import { Facts } from "../ui/facts.tsx";
import { Badge, PageHeader, Pending } from "../ui/notes.tsx";
import { ResultView } from "../ui/result-view.tsx";
import { type FieldSchema, SchemaForm } from "../ui/schema-form.tsx";
import { show, showLine } from "../ui/show.ts";
import { formatMoment, Time } from "../ui/time.tsx";
import { attempt } from "../ui/toasts.tsx";

/** One question or approval, with what it is about and the form for its answer. */
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
  return (
    <section class="page narrow">
      <PageHeader title={item.kind === "approval" ? "Approval" : "Question"}>
        <Badge tone={item.state === "waiting" ? "warn" : "neutral"}>{item.state}</Badge>
        <CopyButton text={`${location.origin}/inbox/${id}?org=${organization}`} label="Copy link" />
      </PageHeader>
      <p class="question">{show(item.question)}</p>
      {item.state === "waiting" ? (
        may("Inbox:AnswerItem") && <Answer organization={organization} item={item} />
      ) : (
        <Facts
          facts={[
            ["Answer", <code key="answer">{showLine(JSON.stringify(item.answer), 500)}</code>],
            ["Answered by", showLine(item.answered_by ?? "no one", 60)],
            ["At", item.answered_at === null ? "never" : formatMoment(item.answered_at)],
          ]}
        />
      )}
      <Facts
        facts={[
          ["Tool", `${showLine(item.tool_name, 80)} ${showLine(item.tool_version ?? "", 30)}`],
          ["Asked", <Time key="at" at={item.created_at} />],
          [
            "Deadline",
            <span key="end">
              <Time at={item.deadline_at} />, {formatMoment(item.deadline_at)}
            </span>,
          ],
          ["Started by", showLine(item.user_id, 60)],
          [
            "Waiting",
            item.source.type === "invocation" ? (
              <Link key="link" to={`/invocations/${item.source.id}` as never}>
                Invocation {item.source.id}
              </Link>
            ) : (
              `Session ${showLine(item.source.id, 80)}`
            ),
          ],
          [
            "Who may answer",
            item.answerers === null
              ? "Everyone with the permission"
              : showLine(item.answerers.join(", ")),
          ],
        ]}
      />
      <h2>Arguments of the call</h2>
      <ResultView text={JSON.stringify(item.arguments, null, 2)} label="Arguments" />
    </section>
  );
}

const labels: Readonly<Record<string, string>> = {
  true: "Yes",
  false: "No",
  once: "Approve once",
  always: "Always in this session",
  project: "Always in this workspace",
  program: "Until this program ends",
  no: "Deny",
  stop: "Deny and end the program",
};

function Answer({ organization, item }: { organization: string; item: InboxItem }) {
  const schema = (item.schema ?? {}) as FieldSchema;
  const isApproval = item.kind === "approval";
  const [value, setValue] = useState<unknown>(schema.default);
  const [isBusy, setBusy] = useState(false);
  const send = async (answer: unknown): Promise<void> => {
    setBusy(true);
    await attempt(async () => {
      const params = { path: { organization, item_id: item.id } };
      await ask(api.POST("/v1/{organization}/inbox/{item_id}", { params, body: { answer } }));
      await queries.invalidateQueries({ queryKey: [organization, "inbox"] });
    }, "Answered.");
    setBusy(false);
  };
  if (isYesOrNo(item)) {
    const answers = isApproval ? (schema.enum ?? ["once", "no"]) : [true, false];
    return (
      <div class="actions answer">
        {answers.map((answer, index) => (
          <button
            type="button"
            key={String(answer)}
            class={index === 0 ? "primary" : ""}
            disabled={isBusy}
            onClick={() => void send(answer)}
          >
            {labels[String(answer)] ?? showLine(String(answer), 40)}
          </button>
        ))}
      </div>
    );
  }
  return (
    <form
      class="form answer"
      onSubmit={(event) => {
        event.preventDefault();
        void send(value);
      }}
    >
      <SchemaForm name="Answer" schema={schema} value={value} isRequired onChange={setValue} />
      <button type="submit" class="primary" disabled={isBusy || value === undefined}>
        Send the answer
      </button>
    </form>
  );
}

import { useState } from "preact/hooks";
import type { InboxItem } from "../../api/inbox.ts";
import { useSession } from "../../api/session.ts";
import { useSimulation } from "../../api/use-simulation.ts";
import { ProblemNote } from "../../ui/notes.tsx";
import { show, showLine } from "../../ui/show.ts";
import { SimulationView } from "../../ui/simulation-view.tsx";

type Call = NonNullable<InboxItem["call"]>;
type Send = (body: { answer: unknown; reason?: string; rules?: string[] }) => Promise<boolean>;

const days = 30;
const maxExamples = 20;

/** The answers to a waiting call of a session: once, a rule that can be edited, or no with a reason. */
export function CallAnswer({
  call,
  answers,
  isBusy,
  send,
}: {
  call: Call;
  answers: readonly string[];
  isBusy: boolean;
  send: Send;
}) {
  const [reason, setReason] = useState("");
  return (
    <div class="call-answer answer">
      <div class="actions">
        <button
          type="button"
          class="primary"
          disabled={isBusy}
          onClick={() => void send({ answer: "once" })}
        >
          Approve once
        </button>
        {answers.includes("program") && (
          <button type="button" disabled={isBusy} onClick={() => void send({ answer: "program" })}>
            Until this program ends
          </button>
        )}
        {answers.includes("stop") && (
          <button
            type="button"
            class="danger"
            disabled={isBusy}
            onClick={() => void send({ answer: "stop" })}
          >
            Deny and end the program
          </button>
        )}
      </div>
      <form
        class="inline deny"
        onSubmit={(event) => {
          event.preventDefault();
          const text = reason.trim();
          void send({ answer: "no", ...(text !== "" && { reason: text }) });
        }}
      >
        <label>
          Reason for the model, if you deny it
          <input
            value={reason}
            maxLength={2_000}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="danger" disabled={isBusy}>
          Deny
        </button>
      </form>
      {call.rules.length === 0 ? (
        <p class="quiet">No rule can allow this call: it needs approval each time.</p>
      ) : (
        <AlwaysForm call={call} isBusy={isBusy} send={send} />
      )}
    </div>
  );
}

/** The rule that "always" stores, what it would have done before, and where it is stored. */
function AlwaysForm({ call, isBusy, send }: { call: Call; isBusy: boolean; send: Send }) {
  const { organization, may } = useSession();
  const proposed = call.rules.join("\n");
  // What can't be shown as it is can't be edited either.
  const isReadable = call.rules.every((rule) => showLine(rule, rule.length) === rule);
  const mayEdit = call.may_edit_rules && isReadable;
  const [text, setText] = useState(proposed);
  const [scope, setScope] = useState<"always" | "project">("always");
  const simulation = useSimulation(organization);
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const isEdited = lines.join("\n") !== proposed;
  return (
    <form
      class="always"
      aria-label="Always allow such calls"
      onSubmit={(event) => {
        event.preventDefault();
        void send({ answer: scope, ...(isEdited && { rules: lines }) });
      }}
    >
      <h3>Always allow such calls</h3>
      {mayEdit ? (
        <label>
          Rules to store, one per line
          <textarea
            rows={Math.min(8, Math.max(2, text.split("\n").length))}
            value={text}
            spellcheck={false}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
      ) : (
        <>
          <p>Rules to store. They can't be edited here:</p>
          <pre class="text">{show(proposed)}</pre>
        </>
      )}
      {isEdited && (
        <p class="quiet">
          Edited. The server checks that it is a rule and allows this call; the call is judged again
          before it runs.
        </p>
      )}
      {may("Machine:Read") && (
        <div>
          <button
            type="button"
            class="small"
            disabled={simulation.isRunning || lines.length === 0}
            onClick={() =>
              simulation.start({
                rule: lines.join("\n"),
                workspace: call.workspace,
                days,
                limit: maxExamples,
              })
            }
          >
            What would it have done in the last {days} days?
          </button>
        </div>
      )}
      <SimulationView simulation={simulation} />
      {lines.length === 0 && <ProblemNote text="Write a rule, or approve the call once." />}
      <fieldset class="scope">
        <legend>Where</legend>
        <label class="check">
          <input
            type="radio"
            name="scope"
            checked={scope === "always"}
            onChange={() => setScope("always")}
          />
          In this session
        </label>
        <label class="check">
          <input
            type="radio"
            name="scope"
            checked={scope === "project"}
            onChange={() => setScope("project")}
          />
          <span>
            In the workspace <code>{showLine(call.workspace, 200)}</code>
          </span>
        </label>
      </fieldset>
      <div>
        <button type="submit" disabled={isBusy || lines.length === 0}>
          Store and approve
        </button>
      </div>
    </form>
  );
}

import { useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { type InboxItem, isYesOrNo } from "../../api/inbox.ts";
import { queries } from "../../api/queries.ts";
import { ProblemNote } from "../../ui/notes.tsx";
import { type FieldSchema, SchemaForm } from "../../ui/schema-form.tsx";
import { toast } from "../../ui/toasts.tsx";
import { CallAnswer } from "./call-answer.tsx";

/** The form for the answer to an item. */
export function AnswerForm({ organization, item }: { organization: string; item: InboxItem }) {
  const schema = (item.schema ?? {}) as FieldSchema;
  const [value, setValue] = useState<unknown>(schema.default);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const send = async (body: {
    answer: unknown;
    reason?: string;
    rules?: string[];
  }): Promise<boolean> => {
    setBusy(true);
    setProblem(undefined);
    const params = { path: { organization, item_id: item.id } };
    const failure = await ask(
      api.POST("/v1/{organization}/inbox/{item_id}", { params, body }),
    ).then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (failure === undefined) toast("Answered.");
    setProblem(failure);
    await queries.invalidateQueries({ queryKey: [organization, "inbox"] });
    setBusy(false);
    return failure === undefined;
  };
  return (
    <>
      {problem !== undefined && <ProblemNote text={problem} />}
      {item.call !== null ? (
        <CallAnswer
          call={item.call}
          answers={(schema.enum ?? []).map(String)}
          isBusy={isBusy}
          send={send}
        />
      ) : isYesOrNo(item) ? (
        <div class="actions answer">
          {[true, false].map((answer) => (
            <button
              type="button"
              key={String(answer)}
              class={answer ? "primary" : ""}
              disabled={isBusy}
              onClick={() => void send({ answer })}
            >
              {answer ? "Yes" : "No"}
            </button>
          ))}
        </div>
      ) : (
        <form
          class="form answer"
          onSubmit={(event) => {
            event.preventDefault();
            void send({ answer: value });
          }}
        >
          <SchemaForm name="Answer" schema={schema} value={value} isRequired onChange={setValue} />
          <button type="submit" class="primary" disabled={isBusy || value === undefined}>
            Send the answer
          </button>
        </form>
      )}
    </>
  );
}

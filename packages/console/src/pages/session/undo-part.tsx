import { useState } from "preact/hooks";
import { api, ask, toApiError } from "../../api/client.ts";
import type { MachineCall } from "../../api/machine-sessions.ts";
import { queries } from "../../api/queries.ts";
import type { paths } from "../../api/schema.d.ts";
import { useSession } from "../../api/session.ts";
import { ProblemNote } from "../../ui/notes.tsx";
import { show, showLine } from "../../ui/show.ts";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toasts.tsx";
import { UnifiedDiff } from "../../ui/unified-diff.tsx";

type Responses =
  paths["/v1/{organization}/machine/sessions/{session}/calls/{call}/undo"]["get"]["responses"];
type Preview = Responses[200]["content"]["application/json"];
type Conflict = Responses[409]["content"]["application/json"];

const actions: Readonly<Record<string, string>> = {
  restored: "as it was before",
  merged: "as it was before, with later changes kept",
  removed: "removed, because the call created it",
  unchanged: "already as it was",
};

/** Undo or redo of one call: first what it would change, then, in place, the confirmation. */
export function UndoPart({ call, onDone }: { call: MachineCall; onDone(): void }) {
  const { organization } = useSession();
  const [plan, setPlan] = useState<Preview | Conflict>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  if (!call.can_undo && !call.can_redo) return null;
  const [word, done] = call.can_redo ? ["Redo", "Redone."] : ["Undo", "Undone."];
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    await work().catch((error: Error) => setProblem(error.message));
    setBusy(false);
  };
  const close = (): void => {
    setPlan(undefined);
    setWasOpen(true);
  };
  const look = (): Promise<void> =>
    run(async () => {
      const path = { organization, session: call.session, call: String(call.id) };
      const url = "/v1/{organization}/machine/sessions/{session}/calls/{call}/undo";
      const { data, error, response } = await api.GET(url, { params: { path } });
      if (response.status === 409) setPlan(error as Conflict);
      else if (data === undefined) throw toApiError(response.status, error);
      else setPlan(data);
    });
  const change = (): Promise<void> =>
    run(async () => {
      const request = {
        params: { path: { organization, session: call.session } },
        body: { call: call.id },
      };
      await (call.can_redo
        ? ask(api.POST("/v1/{organization}/machine/sessions/{session}/redo", request))
        : ask(api.POST("/v1/{organization}/machine/sessions/{session}/undo", request)));
      setPlan(undefined);
      toast(done);
      onDone();
      await queries.invalidateQueries({
        queryKey: [organization, "machine"],
        refetchType: "active",
      });
    });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside have the focus
    <div class="undo" onKeyDown={({ key }) => key === "Escape" && plan !== undefined && close()}>
      {plan === undefined ? (
        <button
          type="button"
          class="small"
          disabled={isBusy}
          ref={wasOpen ? focus : null}
          onClick={() => void look()}
        >
          {word}…
        </button>
      ) : "detail" in plan ? (
        <Refused conflict={plan} onClose={close} />
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: a question with two answers, in place
        <div class="in-place" role="group" aria-label={`${word} this call`}>
          <p>{word} this call? These files change:</p>
          <ul class="undone">
            {plan.undone.map(({ path, action, diff }) => (
              <li key={path}>
                <code>{showLine(path, 300)}</code>{" "}
                <span class="quiet">{actions[action] ?? action}</span>
                {diff !== undefined && (
                  <UnifiedDiff diff={diff} label={`Changes of ${path}`} maxLines={60} />
                )}
              </li>
            ))}
          </ul>
          <div class="actions">
            <button type="button" class="primary" disabled={isBusy} onClick={() => void change()}>
              {word} these changes
            </button>
            {/* The safe answer has the focus. */}
            <button type="button" ref={focus} onClick={close}>
              Cancel
            </button>
          </div>
        </div>
      )}
      {problem !== undefined && <ProblemNote text={problem} />}
    </div>
  );
}

function Refused({ conflict, onClose }: { conflict: Conflict; onClose(): void }) {
  return (
    <div class="in-place">
      <p class="problem" role="alert">
        {show(conflict.detail)}
      </p>
      {conflict.since.length > 0 && (
        <>
          <p>Later calls that changed the same file:</p>
          <ul class="undone">
            {conflict.since.map(({ call_id: id, tool, title, at }) => (
              <li key={id}>
                {showLine(tool, 40)} <code>{showLine(title, 160)}</code>{" "}
                <span class="quiet">
                  <Time at={at} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      <div class="actions">
        <button type="button" ref={focus} onClick={onClose}>
          Close
        </button>
      </div>
    </div>
  );
}

function focus(button: HTMLButtonElement | null): void {
  button?.focus();
}

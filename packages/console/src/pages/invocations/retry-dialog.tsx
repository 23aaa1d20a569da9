import { useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import type { paths } from "../../api/schema.d.ts";
import { useSession } from "../../api/session.ts";
import type { Ok } from "../../api/tools.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Badge, ProblemNote } from "../../ui/notes.tsx";
import { showLine } from "../../ui/show.ts";

type Retries = Ok<paths["/v1/{organization}/tool/invocation/retry"]["post"]>;

/** Runs invocations again, with another version or a changed input, after a look at what would run. */
export function RetryDialog({
  ids,
  onClose,
}: {
  ids: readonly string[];
  onClose(isDone: boolean): void;
}) {
  const { organization } = useSession();
  const [version, setVersion] = useState("latest");
  const [path, setPath] = useState("");
  const [value, setValue] = useState("");
  const [allowMissing, setAllowMissing] = useState(false);
  const [done, setDone] = useState<Retries>();
  const [isRun, setRun] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const retry = async (isDry: boolean): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      const set = path.trim() === "" ? [] : [{ path: path.trim(), value: toValue(value) }];
      const body = {
        ...{ invocation_ids: [...ids], version, set, dry_run: isDry, limit: ids.length },
        allow_missing_context: allowMissing,
      };
      const params = { path: { organization } };
      const result = await ask(
        api.POST("/v1/{organization}/tool/invocation/retry", { params, body: body as never }),
      );
      setDone(result);
      setRun(!isDry);
      if (!isDry) void queries.invalidateQueries({ queryKey: [organization, "ended"] });
    } catch (error) {
      setProblem((error as Error).message);
    }
    setBusy(false);
  };

  return (
    <Dialog
      title={`Retry ${ids.length} invocation${ids.length === 1 ? "" : "s"}`}
      onClose={() => onClose(isRun)}
    >
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void retry(false);
        }}
      >
        <label>
          Version
          <input value={version} onInput={(event) => setVersion(event.currentTarget.value)} />
          <span class="hint">latest, an exact version, or a constraint such as &gt;=1.2,&lt;2</span>
        </label>
        <label>
          Change in the input (optional)
          <input
            value={path}
            placeholder="customer.id"
            onInput={(event) => setPath(event.currentTarget.value)}
          />
          <span class="hint">The path of the value to replace in every input.</span>
        </label>
        {path.trim() !== "" && (
          <label>
            New value
            <input value={value} onInput={(event) => setValue(event.currentTarget.value)} />
            <span class="hint">JSON. What is not JSON counts as text.</span>
          </label>
        )}
        <label class="check">
          <input
            type="checkbox"
            checked={allowMissing}
            onChange={(event) => setAllowMissing(event.currentTarget.checked)}
          />
          Also those that had user variables or a conversation, which are not recorded
        </label>
        {problem !== undefined && <ProblemNote text={problem} />}
        {done !== undefined && <RetryResults done={done} />}
        <div class="actions">
          {isRun ? (
            <button type="button" class="primary" onClick={() => onClose(true)}>
              Done
            </button>
          ) : (
            <>
              <button type="submit" class="primary" disabled={isBusy}>
                {isBusy ? "Running…" : "Run again"}
              </button>
              <button type="button" disabled={isBusy} onClick={() => void retry(true)}>
                Show what would run
              </button>
            </>
          )}
        </div>
      </form>
    </Dialog>
  );
}

function RetryResults({ done }: { done: Retries }) {
  return (
    <div class="scroll" role="status">
      <p>
        {done.succeeded} succeeded, {done.failed} failed, {done.skipped} skipped
      </p>
      <table>
        <tbody>
          {done.retries.map((each) => (
            <tr key={each.invocation_id}>
              <td>
                <code>{each.invocation_id.slice(-8)}</code>
              </td>
              <td>
                <Badge
                  tone={
                    each.status === "succeeded"
                      ? "good"
                      : each.status === "failed"
                        ? "bad"
                        : "neutral"
                  }
                >
                  {each.status}
                </Badge>
              </td>
              <td>{each.version}</td>
              <td>{showLine(each.detail ?? "")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function toValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

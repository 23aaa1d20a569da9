import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api, ask } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { Badge, ProblemNote } from "../../ui/notes.tsx";
import { LongText, ResultView } from "../../ui/result-view.tsx";
import { showLine } from "../../ui/show.ts";
import { formatDuration } from "../../ui/time.tsx";
import type { Run } from "./use-run.ts";

/** What a run has said so far, and how it ended. */
export function RunResult({ run, toolId }: { run: Run; toolId: string }) {
  const { isRunning, events, outcome, problem } = run;
  if (!isRunning && outcome === undefined && problem === undefined) return null;
  return (
    <section class="run-result" aria-label="Result" aria-busy={isRunning}>
      <h2>
        Result{" "}
        {isRunning ? (
          <Badge tone="warn">running</Badge>
        ) : (
          outcome !== undefined && (
            <Badge tone={outcome.succeeded ? "good" : "bad"}>
              {outcome.succeeded ? "succeeded" : "failed"}
            </Badge>
          )
        )}{" "}
        {outcome !== undefined && <span class="quiet">{formatDuration(outcome.duration_ms)}</span>}
      </h2>
      {problem !== undefined && <ProblemNote text={problem} />}
      {events.length > 0 && (
        <details open>
          <summary>Events and logs ({events.length})</summary>
          <ol class="events">
            {events.map(({ name, text }, index) => (
              <li key={String(index)}>
                <code>{showLine(name, 40)}</code> {showLine(text, 500)}
              </li>
            ))}
          </ol>
        </details>
      )}
      {outcome?.succeeded === true && <ResultView text={outcome.output ?? ""} label="Output" />}
      {outcome?.succeeded === false && (
        <>
          <p>
            <strong class="bad">{showLine(outcome.exception_type ?? "", 100)}</strong>
          </p>
          <LongText text={outcome.exception_message ?? ""} label="Message" />
          <LongText text={(outcome.exception_stack_trace ?? []).join("\n")} label="Stack trace" />
        </>
      )}
      {run.startedAt !== undefined && (
        <RunLogs toolId={toolId} startedAt={run.startedAt} isRunning={isRunning} />
      )}
    </section>
  );
}

/** What the run prints, while it runs and afterwards, and the way to its record. */
function RunLogs({
  toolId,
  startedAt,
  isRunning,
}: {
  toolId: string;
  startedAt: string;
  isRunning: boolean;
}) {
  const { organization, api_key_id: key } = useSession();
  const path = { organization };
  const { data } = useQuery({
    queryKey: [organization, "ended", "run", toolId, startedAt, isRunning],
    queryFn: async () => {
      if (isRunning) {
        const params = { path, query: { tool_id: [toolId] } };
        const { running_invocations: running } = await ask(
          api.GET("/v1/{organization}/tool/invocation/running", { params }),
        );
        return running.find((each) => each.started_at >= startedAt) ?? null;
      }
      // The caller's own, since then.
      const query = { tool_id: [toolId], api_key: [key], from: startedAt, limit: 1 };
      const { invocations } = await ask(
        api.GET("/v1/{organization}/tool/invocation/summary", { params: { path, query } }),
      );
      const id = invocations[0]?.id;
      if (id === undefined) return null;
      const params = { path: { organization, invocation_id: id } };
      const logs = await ask(
        api.GET("/v1/{organization}/tool/invocation/{invocation_id}/logs", { params }),
      );
      return { id, logs };
    },
    refetchInterval: isRunning ? 1_000 : false,
    retry: false,
  });
  if (data === undefined || data === null) return null;
  const text = [data.logs.stdout.text, data.logs.stderr.text].filter(Boolean).join("\n");
  return (
    <>
      {text !== "" && (
        <>
          <h3>Printed</h3>
          <LongText text={text} label="Printed" />
        </>
      )}
      {!isRunning && (
        <p>
          <Link to={`/invocations/${data.id}` as never}>Open the record of this invocation</Link>
        </p>
      )}
    </>
  );
}

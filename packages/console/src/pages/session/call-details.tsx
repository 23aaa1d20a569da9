import { useState } from "preact/hooks";
import { ownHeaders, toApiError } from "../../api/client.ts";
import type { MachineCall } from "../../api/machine-sessions.ts";
import { useSession } from "../../api/session.ts";
import { Facts } from "../../ui/facts.tsx";
import { ProblemNote } from "../../ui/notes.tsx";
import { LongText, ResultView } from "../../ui/result-view.tsx";
import { showLine } from "../../ui/show.ts";
import { formatDuration, formatMoment } from "../../ui/time.tsx";
import { DecisionText } from "./decision-text.tsx";

/** Arguments, result, whole output and facts of a call. */
export function CallDetails({ call }: { call: MachineCall }) {
  const { result } = call;
  const data = (result as { type: string; data?: unknown }).data;
  return (
    <div class="call-details">
      <h3>Arguments</h3>
      <ResultView
        text={typeof call.arguments === "string" ? call.arguments : toJson(call.arguments)}
        label="Arguments"
      />
      <h3>{(result as { type: string }).type === "error" ? "Error" : "Result"}</h3>
      {data === undefined ? (
        <LongText text={call.result_text} label="Error" />
      ) : (
        <ResultView text={typeof data === "string" ? data : toJson(data)} label="Result" />
      )}
      {call.sidecars.map(({ name, bytes }) => (
        <Sidecar key={name} session={call.session} name={name} bytes={bytes} />
      ))}
      <Facts
        facts={[
          ["Decision", <DecisionText key="decision" call={call} />],
          ["Isolation", showLine(call.isolation ?? "unknown", 40)],
          ["Started", formatMoment(call.started_at)],
          [
            "Took",
            `${formatDuration(Math.round(call.duration_ms))}, of it ${formatDuration(Math.round(call.asked_ms))} asking and ${formatDuration(Math.round(call.queued_ms))} waiting for other calls`,
          ],
          ["Result for the model", `about ${call.result_tokens.toLocaleString("en")} tokens`],
          ["Written as", `${showLine(call.name, 60)}, dialect ${showLine(call.dialect, 40)}`],
          ["Call ID", showLine(call.call_id, 120)],
          ...(call.changed_files.length === 0
            ? []
            : [["Changed files", showLine(call.changed_files.join(", "), 2_000)] as const]),
        ]}
      />
    </div>
  );
}

function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? "";
}

const maxShownBytes = 2_000_000;

/** The whole output of a call whose result was cut. */
function Sidecar({ session, name, bytes }: { session: string; name: string; bytes: number }) {
  const { organization } = useSession();
  const [text, setText] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const address = `/v1/${organization}/machine/sessions/${encodeURIComponent(session)}/sidecars/${encodeURIComponent(name)}`;
  const load = async (): Promise<void> => {
    try {
      const response = await fetch(address, { headers: ownHeaders });
      if (!response.ok) throw toApiError(response.status, await response.json());
      setText(await response.text());
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <section class="sidecar" aria-label="Whole output">
      <h3>Whole output</h3>
      <div class="actions">
        {bytes <= maxShownBytes && text === undefined && (
          <button type="button" onClick={() => void load()}>
            Show it ({bytes.toLocaleString("en")} bytes)
          </button>
        )}
        <a class="button" href={address} download={name}>
          Download
        </a>
      </div>
      {problem !== undefined && <ProblemNote text={problem} />}
      {text !== undefined && <LongText text={text} label="Whole output" />}
    </section>
  );
}

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "preact/hooks";
import {
  callQuery,
  failedStates,
  type ListedCall,
  listedCallQuery,
} from "../../api/machine-sessions.ts";
import { useSession } from "../../api/session.ts";
import { Badge } from "../../ui/notes.tsx";
import { show, showLine } from "../../ui/show.ts";
import { ClockTime, formatDuration } from "../../ui/time.tsx";
import type { RowFocus } from "../../ui/use-row-focus.ts";
import { CallDetails } from "./call-details.tsx";
import { CallDiffs } from "./call-diffs.tsx";
import { DecisionText } from "./decision-text.tsx";
import { indent } from "./message-row.tsx";
import type { ThreadItem } from "./thread-model.ts";
import { UndoPart } from "./undo-part.tsx";

// Rows that only pass by while a person scrolls load nothing more.
const restMs = 150;

interface CallRowProps {
  readonly item: Extract<ThreadItem, { kind: "call" }>;
  readonly isCurrent: boolean;
  readonly isOpen: boolean;
  readonly isFolded: boolean;
  readonly mayChange: boolean;
  readonly focus: RowFocus;
  onFocus(): void;
  onToggle(): void;
  onFold(): void;
}

/** A call: what it did, why it was allowed to, and how its result begins. More when it is open. */
export function CallRow(props: CallRowProps) {
  const { item, isCurrent, isOpen, isFolded, mayChange, focus, onFocus, onToggle, onFold } = props;
  const { organization } = useSession();
  const { data: call, error } = useQuery(listedCallQuery(organization, item.session, item.id));
  const name = useRef<HTMLButtonElement>(null);
  useEffect(() => focus.take(item.key, name.current));
  const isChange = (call?.changed_count ?? 0) > 0;
  const hasRested = useRest();
  const { data: whole } = useQuery({
    ...callQuery(organization, item.session, item.id),
    enabled: isOpen || (isChange && hasRested),
  });
  return (
    <article
      class="call"
      data-state={
        call === undefined ? "" : failedStates.includes(call.state) ? "failed" : call.state
      }
      data-current={isCurrent}
      data-nested={item.depth > 0}
      style={indent(item.depth)}
    >
      <div class="call-line">
        <button
          type="button"
          ref={name}
          class="call-name"
          aria-expanded={isOpen}
          onClick={onToggle}
          onFocus={() => isCurrent || onFocus()}
        >
          <span class="dot" aria-hidden="true" />
          <strong>{call === undefined ? "…" : showLine(call.tool, 60)}</strong>
          <code>{showLine(call?.title ?? "", 240)}</code>
        </button>
        {call !== undefined && <CallNumbers call={call} />}
      </div>
      {error !== null && <p class="bad">{show(error.message)}</p>}
      {call !== undefined && (
        <>
          <p class="call-facts quiet">
            <CallFacts call={call} />
            {item.inside > 0 && (
              <button type="button" class="small" aria-expanded={!isFolded} onClick={onFold}>
                {isFolded ? "Show" : "Hide"} {item.inside.toLocaleString("en")} inside
              </button>
            )}
          </p>
          {!(isOpen && whole !== undefined) && <Preview call={call} />}
          {isChange && whole !== undefined && (
            <>
              <CallDiffs call={whole} isOpen={isOpen} />
              {mayChange && <UndoPart call={whole} onDone={() => name.current?.focus()} />}
            </>
          )}
          {isOpen && whole === undefined && <p class="quiet loading">Loading…</p>}
          {isOpen && whole !== undefined && <CallDetails call={whole} />}
        </>
      )}
    </article>
  );
}

/** The first lines of a result, without the diff that is shown below. */
function Preview({ call: { preview, changed_count: changed } }: { call: ListedCall }) {
  const text = changed > 0 ? (preview.split(/\n\n?--- /u)[0] ?? "") : preview;
  return text === "" ? null : <pre class="call-preview">{show(text)}</pre>;
}

function useRest(): boolean {
  const [hasRested, setRested] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setRested(true), restMs);
    return () => clearTimeout(timer);
  }, []);
  return hasRested;
}

function CallNumbers({ call }: { call: ListedCall }) {
  return (
    <span class="call-numbers">
      {call.state !== "done" && (
        <Badge tone={failedStates.includes(call.state) ? "bad" : "neutral"}>
          {showLine(call.error_code ?? call.state, 40)}
        </Badge>
      )}
      <span class="number">{formatDuration(Math.round(call.duration_ms))}</span>
      <span class="number quiet call-time">
        <ClockTime at={call.started_at} />
      </span>
    </span>
  );
}

function CallFacts({ call }: { call: ListedCall }) {
  const { isolation, asked_ms: asked, queued_ms: queued, sidecar } = call;
  return (
    <>
      {isolation !== null && (
        <span>{isolation === "none" ? "not isolated" : showLine(isolation, 40)}</span>
      )}
      <span>
        <DecisionText call={call} />
      </span>
      {asked > 0 && <span>{formatDuration(Math.round(asked))} until answered</span>}
      {queued > 0 && <span>{formatDuration(Math.round(queued))} in the queue</span>}
      {call.changed_count > 0 && (
        <span title={showLine(call.changed_files.join(", "), 500)}>
          {call.changed_count === 1
            ? `changed ${showLine(call.changed_files[0]?.split("/").at(-1) ?? "a file", 60)}`
            : `changed ${call.changed_count} files`}
        </span>
      )}
      {sidecar !== null && <span>result cut, whole output kept</span>}
    </>
  );
}

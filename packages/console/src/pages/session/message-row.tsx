import { useQuery } from "@tanstack/react-query";
import { useState } from "preact/hooks";
import { messageQuery } from "../../api/machine-sessions.ts";
import { useSession } from "../../api/session.ts";
import { show, showLine } from "../../ui/show.ts";
import { Time } from "../../ui/time.tsx";
import { ForkPart } from "./fork-part.tsx";
import type { ThreadItem } from "./thread-model.ts";

const shownCharacters = 1_500;
const shownLines = 16;
const speakers: Readonly<Record<string, string>> = {
  user: "Person",
  notice: "Haft",
  summary: "Summary of what came before",
  "turn-end": "The turn ended",
};

/** What a person, a model or Haft said. */
export function MessageRow({
  item,
  mayFork,
}: {
  item: Extract<ThreadItem, { kind: "message" }>;
  mayFork: boolean;
}) {
  const { organization } = useSession();
  const { data, error } = useQuery(messageQuery(organization, item.session, item.id));
  const [isWhole, setWhole] = useState(false);
  if (data === undefined) {
    return (
      <div class="said" data-nested={item.depth > 0} style={indent(item.depth)}>
        <p class="quiet">{error === null ? "…" : show(error.message)}</p>
      </div>
    );
  }
  const text =
    data.type === "turn-end" ? [data.reason, data.error].filter(Boolean).join(": ") : data.text;
  const excerpt = text.slice(0, shownCharacters).split("\n").slice(0, shownLines).join("\n");
  const isLong = excerpt.length < text.length;
  return (
    <div class="said" data-type={data.type} data-nested={item.depth > 0} style={indent(item.depth)}>
      <p class="said-head">
        <strong>
          {/* A subagent is asked by the agent that started it. */}
          {data.type === "user" && item.depth > 0
            ? "Task"
            : (speakers[data.type] ?? showLine(data.agent ?? "Agent", 60))}
        </strong>
        <span class="quiet">
          {data.model !== undefined && `${showLine(data.model, 60)}, `}
          <Time at={data.time} />
        </span>
        {data.files?.map((type, index) => (
          <span class="badge" key={String(index)}>
            {showLine(type, 40)}
          </span>
        ))}
        {mayFork && data.type !== "turn-end" && (
          <ForkPart session={item.session} at={item.id} label="Fork here" />
        )}
      </p>
      {text !== "" && <p class="said-text">{show(isWhole ? text : excerpt)}</p>}
      {isLong && (
        <button type="button" class="small" onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show less" : `Show all (${text.length.toLocaleString("en")} characters)`}
        </button>
      )}
    </div>
  );
}

/** The place of what another call made. */
export function indent(depth: number): Record<string, string> {
  return { "--depth": String(Math.min(depth, 6)) };
}

import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "preact/hooks";
import { type MachineSession, toSessionPath } from "../../api/machine-sessions.ts";
import { Badge } from "../../ui/notes.tsx";
import { showCount, showLine } from "../../ui/show.ts";
import { Time } from "../../ui/time.tsx";
import type { RowFocus } from "../../ui/use-row-focus.ts";

/** One line of the list of sessions. */
export function SessionRow({
  session,
  isCurrent,
  focus,
}: {
  session: MachineSession;
  isCurrent: boolean;
  focus: RowFocus;
}) {
  const { id, name, title, workspace, state, calls, errors, changed_files: changed } = session;
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => focus.take(id, link.current));
  const isLive = state === "live";
  return (
    <div class="session-row" data-current={isCurrent} data-live={isLive}>
      <span class="dot" role="img" aria-label={isLive ? "live" : "ended"} />
      <div class="session-what">
        <Link to={toSessionPath(id) as never} class="row-name" ref={link as never}>
          {showLine(title ?? name, 160)}
        </Link>
        <span class="quiet">
          {session.snippet === null
            ? `${showLine(name, 70)} in ${showLine(workspace, 120)}`
            : showLine(session.snippet.replaceAll(/\s+/gu, " "), 200)}
        </span>
      </div>
      <span class="session-agent">
        <Badge tone={isLive ? "accent" : "neutral"}>
          {showLine(session.agent ?? session.client ?? "commands", 30)}
        </Badge>
      </span>
      <span class="number session-counts">
        {showCount(calls, "call")}
        {errors > 0 && <span class="bad">, {errors} failed</span>}
        {changed > 0 && <span class="quiet">, {showCount(changed, "file")} changed</span>}
      </span>
      <span class="number quiet">
        <Time at={session.last_used_at} />
      </span>
    </div>
  );
}

import { useEffect, useRef } from "preact/hooks";
import { useSession } from "./session.ts";

/** Something that happened in a session. Without a session: anything may have happened. */
export interface MachineEvent {
  readonly session?: string;
}

const names = [
  "call.started",
  "call.ended",
  "session.opened",
  "session.closed",
  "message",
] as const;
const restMs = 200;

/**
 * Calls a function after something happened in sessions on the server's machine, at most every 200 ms, while
 * the page is visible. A browser keeps few connections to one server, so hidden pages give theirs up.
 */
export function useMachineEvents(listener: (events: readonly MachineEvent[]) => void): void {
  const { organization } = useSession();
  const current = useRef(listener);
  current.current = listener;
  useEffect(() => {
    let source: EventSource | undefined;
    let gathered: MachineEvent[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = (): void => {
      timer = undefined;
      if (gathered.length === 0) return;
      const events = gathered;
      gathered = [];
      timer = setTimeout(flush, restMs);
      current.current(events);
    };
    // The first at once, with those that came in the same message.
    const tell = (event: MachineEvent): void => {
      gathered.push(event);
      timer ??= setTimeout(flush);
    };
    const follow = (): void => {
      if (document.hidden) {
        source?.close();
        source = undefined;
      } else if (source === undefined) {
        source = new EventSource(`/v1/${organization}/machine/events`);
        // What happened before the connection is not told.
        source.addEventListener("ready", () => tell({}));
        for (const name of names) {
          source.addEventListener(name, ({ data }: MessageEvent<string>) =>
            tell(JSON.parse(data) as MachineEvent),
          );
        }
      }
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      clearTimeout(timer);
      source?.close();
    };
  }, [organization]);
}

import { useEffect, useState } from "preact/hooks";
import { queries } from "./queries.ts";

// One connection for the whole page. The browser connects again by itself, with Last-Event-ID.

let source: EventSource | undefined;
let state: "connecting" | "on" | "off" = "connecting";
let waiting: number | undefined;
const watchers = new Set<() => void>();
const endings = new Set<() => void>();

const tell = (): void => {
  for (const watcher of watchers) watcher();
};

/** Follows what happens in an organization, instead of the one before. */
export function followOrganization(organization: string): void {
  source?.close();
  source = new EventSource(`/v1/${organization}/events`);
  source.addEventListener("ready", () => {
    state = "on";
    tell();
  });
  source.addEventListener("error", () => {
    state = "off";
    tell();
  });
  const tellEnded = throttle(() => {
    void queries.invalidateQueries({ queryKey: [organization, "ended"] });
    for (const ending of endings) ending();
  }, 400);
  // The server looks at many invocations to answer these.
  const tellCounted = throttle(() => {
    void queries.invalidateQueries({ queryKey: [organization, "counted"] });
  }, 5_000);
  source.addEventListener("invocation", () => {
    tellEnded();
    tellCounted();
  });
  source.addEventListener("inbox", (event) => {
    waiting = (JSON.parse((event as MessageEvent<string>).data) as { waiting: number }).waiting;
    void queries.invalidateQueries({ queryKey: [organization, "inbox"] });
    tell();
  });
}

/** Stops following. */
export function stopFollowing(): void {
  source?.close();
  source = undefined;
}

/** Whether the page follows what happens, and how many items of the inbox wait. */
export function useLive(): { readonly state: typeof state; readonly waiting: number | undefined } {
  const [, update] = useState(0);
  useEffect(() => {
    const watcher = (): void => update((count) => count + 1);
    watchers.add(watcher);
    // The connection can be ready before the page is shown.
    watcher();
    return () => {
      watchers.delete(watcher);
    };
  }, []);
  return { state, waiting };
}

/** Calls a function after invocations have ended, at most every 400 ms. */
export function useEnded(listener: () => void): void {
  useEffect(() => {
    endings.add(listener);
    return () => {
      endings.delete(listener);
    };
  }, [listener]);
}

/** Runs at once, and what comes within the time after that once at its end. */
function throttle(run: () => void, ms: number): () => void {
  let isWaiting = false;
  let isDue = false;
  const start = (): void => {
    isDue = false;
    isWaiting = true;
    run();
    setTimeout(() => {
      isWaiting = false;
      if (isDue) start();
    }, ms);
  };
  return () => {
    isDue = true;
    if (!isWaiting) start();
  };
}

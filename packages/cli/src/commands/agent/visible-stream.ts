import { toVisibleText } from "@haft/core/internal";

/** Makes streamed text safe for a terminal. */
export interface VisibleStream {
  /** Returns what can be shown so far. */
  push(text: string): string;
  /** Returns what was held back. */
  end(): string;
}

/**
 * Makes streamed text safe to show. The first half of a surrogate pair, and a carriage return that may
 * belong to a line break, wait for the next part.
 */
export function createVisibleStream(): VisibleStream {
  let held = "";
  return {
    push: (text) => {
      const all = held + text;
      const at = /[\r\ud800-\udbff]$/.test(all) ? all.length - 1 : all.length;
      held = all.slice(at);
      return show(all.slice(0, at));
    },
    end: () => {
      const rest = show(held);
      held = "";
      return rest;
    },
  };
}

function show(text: string): string {
  return toVisibleText(text.replaceAll("\r\n", "\n"));
}

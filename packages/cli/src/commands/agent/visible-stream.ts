import { toVisibleText } from "@haft/core";

/** Text that comes in parts, as a terminal may safely show it. */
export interface VisibleStream {
  /** What can be shown so far of what came. */
  push(text: string): string;
  /** What was held back. */
  end(): string;
}

/**
 * Makes text that comes in parts safe to show. The first half of a character that takes two, and a
 * carriage return that may belong to a line break, wait for what follows.
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

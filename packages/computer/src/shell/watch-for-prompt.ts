import type { Launched } from "../broker/broker-connection.ts";
import type { RunView } from "../broker/messages.ts";
import { looksLikePrompt } from "./prompt-patterns.ts";

/** What is watched. */
export interface WatchedRun {
  readonly launched: Pick<Launched, "look">;
  /** Its last output, and when that arrived. */
  readonly output: { readonly lastLine: string; readonly lastAt: number };
  /** How long it must be silent and idle before it counts as waiting. */
  readonly silenceMs: number;
}

/**
 * Reports when a command waits for a person: it asked something or reads from a terminal, prints
 * nothing more and uses no processor time. Returns a function that ends the watch.
 */
export function watchForPrompt(run: WatchedRun, onPrompt: (prompt: string) => void): () => void {
  const { launched, output, silenceMs } = run;
  let before: (RunView & { readonly lastAt: number }) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const check = async (): Promise<void> => {
    const { lastAt } = output;
    if (performance.now() - lastAt < silenceMs) return;
    const view = await launched.look();
    const isStill = before !== undefined && before.lastAt === lastAt && isSame(before, view);
    before = { ...view, lastAt };
    if (!isStill || hasEnded || output.lastAt !== lastAt) return;
    const line = output.lastLine;
    if (looksLikePrompt(line)) onPrompt(line.trim());
    else if (view.waitsForTerminal) onPrompt(line.trim() || "(input from a terminal)");
  };
  // Checks don't overlap: the time between two of them is what counts.
  const again = (): void => {
    // The command keeps this process alive, if anything does.
    if (!hasEnded) timer = setTimeout(() => void check().finally(again), silenceMs / 2).unref();
  };
  again();
  return () => {
    hasEnded = true;
    clearTimeout(timer);
  };
}

// Without `/proc` it can't be told whether processes wait.
function isSame(before: RunView, after: RunView): boolean {
  const pids = ({ processes }: RunView): string => processes.map(({ pid }) => pid).join();
  return pids(after) !== "" && pids(before) === pids(after) && before.cpuTicks === after.cpuTicks;
}

import type { Launched } from "../broker/broker-connection.ts";
import type { RunView } from "../broker/messages.ts";
import { looksLikePrompt } from "./prompt-patterns.ts";

/** What is watched. */
export interface WatchedRun {
  readonly launched: Pick<Launched, "look">;
  /** What it printed last, and when. */
  readonly output: { readonly lastLine: string; readonly lastAt: number };
  /** How long it has to be silent, and do nothing, before it is taken to wait. */
  readonly silenceMs: number;
}

/**
 * Tells when a command waits for a person: it asked something or reads from a terminal, prints
 * nothing more and needs no processor time. Returns what ends the watch.
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
  // One look after the other: what lies between two of them is what counts.
  const again = (): void => {
    if (!hasEnded) timer = setTimeout(() => void check().finally(again), silenceMs / 2);
  };
  again();
  return () => {
    hasEnded = true;
    clearTimeout(timer);
  };
}

// Where processes can't be looked at, nobody can tell whether they wait.
function isSame(before: RunView, after: RunView): boolean {
  const pids = ({ processes }: RunView): string => processes.map(({ pid }) => pid).join();
  return pids(after) !== "" && pids(before) === pids(after) && before.cpuTicks === after.cpuTicks;
}

import { useEffect, useState } from "preact/hooks";
import { show } from "./show.ts";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isProblem: boolean;
}

let toasts: readonly Toast[] = [];
let count = 0;
const watchers = new Set<() => void>();
const shownMs = 6_000;

/** Shows a message for a few seconds. */
export function toast(text: string, isProblem = false): void {
  const made = { id: ++count, text, isProblem };
  change([...toasts.slice(-3), made]);
  setTimeout(() => change(toasts.filter((each) => each !== made)), shownMs);
}

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const watcher of watchers) watcher();
}

/** Runs something, and shows that it is done or why it failed. Returns whether it is done. */
export async function attempt(run: () => Promise<unknown>, done: string): Promise<boolean> {
  try {
    await run();
    if (done !== "") toast(done);
    return true;
  } catch (error) {
    toast((error as Error).message, true);
    return false;
  }
}

/** The messages that are shown now. */
export function ToastList() {
  const [, update] = useState(0);
  useEffect(() => {
    const watcher = (): void => update((last) => last + 1);
    watchers.add(watcher);
    return () => {
      watchers.delete(watcher);
    };
  }, []);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, text, isProblem }) => (
        <p key={id} data-problem={isProblem}>
          {show(text)}
        </p>
      ))}
    </div>
  );
}

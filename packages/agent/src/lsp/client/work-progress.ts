import type { MessageConnection } from "vscode-jsonrpc/node";

/** The work that a server reports, such as loading a project. */
export interface WorkProgress {
  /** Title of the current work, or `undefined` if idle. */
  current(): string | undefined;
  /** Calls the listener on every change, until the returned function is called. */
  follow(listener: (words: string) => void): () => void;
  /** Waits until the server reports no work. Returns whether it is idle. */
  untilIdle(patience: { readonly signal: AbortSignal; readonly maxMs: number }): Promise<boolean>;
}

interface ProgressParams {
  readonly token: string | number;
  readonly value?: {
    readonly kind?: string;
    readonly title?: string;
    readonly message?: string;
    readonly percentage?: number;
  } | null;
}

/** Tracks the progress notifications of a server. */
export function followWork(connection: MessageConnection): WorkProgress {
  const work = new Map<string | number, string>();
  const listeners = new Set<(words: string) => void>();
  const idle = new Set<() => void>();
  connection.onNotification("$/progress", ({ token, value }: ProgressParams) => {
    if (value?.kind === "end") work.delete(token);
    if (value?.kind === "begin") work.set(token, value.title ?? "");
    if (work.size === 0) for (const wake of [...idle]) wake();
    if (value?.kind !== "begin" && value?.kind !== "report") return;
    const { message, percentage } = value;
    const share = percentage === undefined ? undefined : `${percentage}%`;
    const words = [work.get(token), message, share].filter(Boolean).join(" ");
    for (const listener of [...listeners]) listener(words);
  });
  return {
    current: () => [...work.values()].at(0),
    follow: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    untilIdle: ({ signal, maxMs }) =>
      new Promise((resolve) => {
        const finish = (): void => {
          clearTimeout(limit);
          idle.delete(finish);
          signal.removeEventListener("abort", finish);
          resolve(work.size === 0);
        };
        const limit = setTimeout(finish, maxMs);
        idle.add(finish);
        signal.addEventListener("abort", finish, { once: true });
        if (work.size === 0 || signal.aborted) finish();
      }),
  };
}

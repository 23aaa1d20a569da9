import type { MessageConnection } from "vscode-jsonrpc/node";

/** The work that a server reports, such as loading a project. */
export interface WorkProgress {
  /** Title of the current work, or `undefined` if idle. */
  current(): string | undefined;
  /** Calls the listener on every change, until the returned function is called. */
  follow(listener: (words: string) => void): () => void;
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
  connection.onNotification("$/progress", ({ token, value }: ProgressParams) => {
    if (value?.kind === "end") work.delete(token);
    if (value?.kind === "begin") work.set(token, value.title ?? "");
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
  };
}

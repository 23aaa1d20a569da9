import type { TerminalHandle } from "@agentclientprotocol/sdk";

/** How a command in a terminal ended. */
export interface TerminalEnd {
  readonly exitCode?: number | null | undefined;
  readonly signal?: string | null | undefined;
  /** Why it was ended, or no longer heard of, before it ended by itself. */
  readonly stop?:
    | { readonly kind: "aborted" }
    | { readonly kind: "timeout"; readonly timeoutMs: number }
    | { readonly kind: "lost"; readonly error: unknown }
    | undefined;
}

/** When to end it. */
export interface TerminalLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number | undefined;
}

// How long a client may take to end a command that it was told to end.
const patienceMs = 3_000;

// More than this a timer takes for nothing at all.
const longestTimer = 2 ** 31 - 1;

/** Waits until a command has ended, and has the client end it when it is to stop. */
export async function waitForTerminal(
  terminal: TerminalHandle,
  { signal, timeoutMs }: TerminalLimits,
): Promise<TerminalEnd> {
  const stopping = Promise.withResolvers<TerminalEnd>();
  const onAbort = (): void => stopping.resolve({ stop: { kind: "aborted" } });
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(
          () => stopping.resolve({ stop: { kind: "timeout", timeoutMs } }),
          Math.min(timeoutMs, longestTimer),
        );
  const ended: Promise<TerminalEnd> = terminal
    .waitForExit()
    .catch((error: unknown): TerminalEnd => ({ stop: { kind: "lost", error } }));
  try {
    const end = await Promise.race([ended, stopping.promise]);
    if (end.stop === undefined || end.stop.kind === "lost") return end;
    await terminal.kill().catch(() => {});
    await Promise.race([ended, patience()]);
    return end;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

function patience(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, patienceMs).unref();
  });
}

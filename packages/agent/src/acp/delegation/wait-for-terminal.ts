import type { TerminalHandle } from "@agentclientprotocol/sdk";

/** How a command in a terminal ended. */
export interface TerminalEnd {
  readonly exitCode?: number | null | undefined;
  readonly signal?: string | null | undefined;
  /** Why it was stopped or lost before it ended. */
  readonly stop?:
    | { readonly kind: "aborted" }
    | { readonly kind: "timeout"; readonly timeoutMs: number }
    | { readonly kind: "lost"; readonly error: unknown }
    | undefined;
}

/** When to stop it. */
export interface TerminalLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number | undefined;
}

// How long a client may take to kill a command.
const patienceMs = 3_000;

// The maximum delay of a timer: a larger one would fire immediately.
const maxTimer = 2 ** 31 - 1;

/** Waits until a command has ended. On timeout or abort, tells the client to kill it. */
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
          Math.min(timeoutMs, maxTimer),
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

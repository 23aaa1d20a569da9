import { fstatSync } from "node:fs";
import type { Readable } from "node:stream";

/** How long to wait for input that may never come. */
export interface InputPatience {
  /** Milliseconds, for a pipe of a shell. */
  readonly pipeMs: number;
  /** Milliseconds, for standard input inherited from another program. */
  readonly socketMs: number;
}

const usual: InputPatience = { pipeMs: 3_000, socketMs: 100 };

/**
 * Whether there is anything on standard input. A pipe that is never written to or closed must not block
 * a command that can do without it.
 */
export async function hasInput(
  input: Readable & { readonly isTTY?: boolean; readonly fd?: number },
  patience: InputPatience = usual,
): Promise<boolean> {
  if (input.isTTY === true) return false;
  const kind = kindOf(input.fd ?? 0);
  if (kind === "none") return false;
  if (kind === "file") return true;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const came = (): void => resolve(true);
  const ended = (): void => resolve(false);
  const timer = setTimeout(
    // On a busy machine the time may be up before Node has looked at the input even once.
    () => setImmediate(ended),
    kind === "pipe" ? patience.pipeMs : patience.socketMs,
  );
  input.once("readable", came).once("end", ended).once("error", ended);
  const isThere = await promise;
  clearTimeout(timer);
  input.off("readable", came).off("end", ended).off("error", ended);
  // Unread input must not keep the process alive.
  if (!isThere) input.destroy();
  return isThere;
}

function kindOf(descriptor: number): "file" | "pipe" | "socket" | "none" {
  try {
    const stats = fstatSync(descriptor);
    if (stats.isFile()) return "file";
    if (stats.isFIFO()) return "pipe";
    return stats.isSocket() ? "socket" : "none";
  } catch {
    return "none";
  }
}

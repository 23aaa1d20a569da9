import { type Net, ToolError } from "@haft/contract";
import type { RunScope } from "@haft/core";
import type { AllowedHost } from "./allowed-host.ts";
import type { ResolveName } from "./resolve-name.ts";

/** Limits of network access on this machine. */
export interface NetOptions {
  /** Hosts that a person granted by name; these may have private addresses. */
  readonly allowedHosts: readonly AllowedHost[];
  /** Default: the system's resolver. */
  readonly resolve?: ResolveName | undefined;
}

const defaultTimeoutMs = 30_000;
const maxTimerMs = 2 ** 31 - 1;

/**
 * Network access of one call. Connections are direct: a proxy named in this process's environment
 * is not used, because it would decide where they lead.
 */
export function openDiskNet(
  { grant, signal }: Pick<RunScope, "grant" | "signal">,
  { allowedHosts, resolve }: NetOptions,
): Net {
  return {
    fetch: async (request) => {
      if (signal.aborted) throw stopped();
      const ending = new AbortController();
      const cancel = (): void => ending.abort(stopped());
      const timeoutMs = request.timeoutMs ?? defaultTimeoutMs;
      const timer = setTimeout(
        () => ending.abort(tooLate(timeoutMs)),
        Math.min(timeoutMs, maxTimerMs),
      );
      signal.addEventListener("abort", cancel, { once: true });
      try {
        // Loaded on first use: Node's HTTP module is slow to load, and most commands need no network.
        const { fetchUrl } = await import("./fetch-url.ts");
        const policy = { grant, allowedHosts, resolve };
        return await fetchUrl(request, { policy, signal: ending.signal });
      } catch (error) {
        // An error after the signal fired is a consequence of it.
        throw ending.signal.aborted ? ending.signal.reason : error;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", cancel);
      }
    },
  };
}

function stopped(): ToolError {
  return new ToolError("cancelled", "The request was cancelled before the response arrived.");
}

function tooLate(timeoutMs: number): ToolError {
  return new ToolError(
    "timeout",
    `No complete response arrived within ${timeoutMs} ms. Try again later, or raise the timeout.`,
  );
}

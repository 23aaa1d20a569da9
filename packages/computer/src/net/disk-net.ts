import { type Net, ToolError } from "@haft/contract";
import type { RunScope } from "@haft/core";
import type { AllowedHost } from "./allowed-host.ts";
import type { ResolveName } from "./resolve-name.ts";

/** What the net of this machine is bounded by. */
export interface NetPlace {
  /** Hosts that a person granted by name; these may have private addresses. */
  readonly allowedHosts: readonly AllowedHost[];
  /** The system's resolver unless said. */
  readonly resolve?: ResolveName | undefined;
}

const defaultTimeoutMs = 30_000;
const longestTimerMs = 2 ** 31 - 1;

/**
 * The net, scoped to one call. Connections are direct: the proxy that this process's environment may
 * name is not used, because it would decide where they lead.
 */
export function openDiskNet(
  { grant, signal }: Pick<RunScope, "grant" | "signal">,
  { allowedHosts, resolve }: NetPlace,
): Net {
  return {
    fetch: async (request) => {
      if (signal.aborted) throw stopped();
      const ending = new AbortController();
      const cancel = (): void => ending.abort(stopped());
      const timeoutMs = request.timeoutMs ?? defaultTimeoutMs;
      const timer = setTimeout(
        () => ending.abort(tooLate(timeoutMs)),
        Math.min(timeoutMs, longestTimerMs),
      );
      signal.addEventListener("abort", cancel, { once: true });
      try {
        // Loaded when used: Node's own HTTP takes long, and most commands never reach the net.
        const { fetchUrl } = await import("./fetch-url.ts");
        const policy = { grant, allowedHosts, resolve };
        return await fetchUrl(request, { policy, signal: ending.signal });
      } catch (error) {
        // Whatever broke when it was to end broke because of that.
        throw ending.signal.aborted ? ending.signal.reason : error;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", cancel);
      }
    },
  };
}

function stopped(): ToolError {
  return new ToolError("cancelled", "The request was stopped before its answer was there.");
}

function tooLate(timeoutMs: number): ToolError {
  return new ToolError(
    "timeout",
    `No whole answer came within ${timeoutMs} ms. Try again later, or allow it more time.`,
  );
}

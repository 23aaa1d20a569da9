import { useRef, useState } from "preact/hooks";
import { stream } from "../../api/stream.ts";

/** What to run. */
export interface RunRequest {
  readonly version: string;
  readonly mode: "regular" | "conversation-simulation";
  readonly input: Record<string, unknown>;
}

/** How an invocation ended. */
export interface RunOutcome {
  readonly succeeded: boolean;
  readonly duration_ms: number;
  readonly output?: string;
  readonly exception_type?: string;
  readonly exception_message?: string;
  readonly exception_stack_trace?: readonly string[];
}

/** A run and what is known of it so far. */
export interface Run {
  readonly isRunning: boolean;
  readonly events: readonly { readonly name: string; readonly text: string }[];
  readonly outcome: RunOutcome | undefined;
  readonly problem: string | undefined;
  readonly startedAt: string | undefined;
  start(request: RunRequest): void;
  stop(): void;
}

const maxEvents = 500;

/** Runs a version of a tool and follows its events. */
export function useRun(organization: string, toolId: string): Run {
  const [state, setState] = useState<Omit<Run, "start" | "stop">>(nothing);
  const controller = useRef<AbortController>(undefined);

  const follow = async ({ version, mode, input }: RunRequest): Promise<void> => {
    controller.current = new AbortController();
    const { signal } = controller.current;
    // A little earlier, should the server's clock be behind.
    const startedAt = new Date(Date.now() - 2_000).toISOString();
    setState({ ...nothing, isRunning: true, startedAt });
    const url = `/v1/${organization}/tool/${toolId}/version/${encodeURIComponent(version)}/invoke`;
    const body = { inputs: [{ input_parameters: input, invocation_mode: mode }] };
    try {
      for await (const { event, data } of stream(url, { method: "POST", body, signal })) {
        if (event === "error") throw new Error((data as { detail: string }).detail);
        const results = (data as { invocation_results?: RunOutcome[] }).invocation_results;
        if (results !== undefined) {
          setState((before) => ({ ...before, outcome: results[0] }));
          continue;
        }
        const text = typeof data === "string" ? data : JSON.stringify(data);
        setState((before) => ({
          ...before,
          events: [...before.events.slice(1 - maxEvents), { name: event, text }],
        }));
      }
    } catch (error) {
      const problem = signal.aborted ? "Stopped." : (error as Error).message;
      setState((before) => ({ ...before, problem }));
    }
    setState((before) => ({ ...before, isRunning: false }));
  };

  return {
    ...state,
    start: (request) => void follow(request),
    stop: () => controller.current?.abort(),
  };
}

const nothing: Omit<Run, "start" | "stop"> = {
  isRunning: false,
  events: [],
  outcome: undefined,
  problem: undefined,
  startedAt: undefined,
};

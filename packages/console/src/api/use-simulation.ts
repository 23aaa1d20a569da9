import { useEffect, useRef, useState } from "preact/hooks";
import type { SimulationReport } from "./machine.ts";
import { stream } from "./stream.ts";

/** What to simulate. */
export interface SimulationRequest {
  readonly rule: string;
  readonly workspace?: string;
  readonly days: number;
  readonly limit: number;
}

interface Progress {
  readonly calls: number;
  readonly of: number;
  readonly changed: number;
}

/** A simulation and what is known of it so far. */
export interface Simulation {
  readonly isRunning: boolean;
  readonly progress: Progress | undefined;
  readonly report: SimulationReport | undefined;
  readonly problem: string | undefined;
  start(request: SimulationRequest): void;
  stop(): void;
}

const nothing: Omit<Simulation, "start" | "stop"> = {
  isRunning: false,
  progress: undefined,
  report: undefined,
  problem: undefined,
};

/** Simulates rules over recorded calls, one at a time. It stops when the component is gone. */
export function useSimulation(organization: string): Simulation {
  const [state, setState] = useState(nothing);
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);

  const follow = async (body: SimulationRequest): Promise<void> => {
    controller.current?.abort();
    const own = new AbortController();
    controller.current = own;
    const { signal } = own;
    const change = (changed: Partial<typeof nothing>): void => {
      if (controller.current === own) setState((before) => ({ ...before, ...changed }));
    };
    change({ ...nothing, isRunning: true });
    const url = `/v1/${organization}/machine/rules/simulate`;
    try {
      for await (const { event, data } of stream(url, { method: "POST", body, signal })) {
        if (event === "error") throw new Error((data as { detail: string }).detail);
        if (event === "progress") change({ progress: data as Progress });
        else change({ report: data as SimulationReport });
      }
    } catch (error) {
      if (!signal.aborted) change({ problem: (error as Error).message });
    }
    change({ isRunning: false });
  };

  return {
    ...state,
    start: (request) => void follow(request),
    stop: () => controller.current?.abort(),
  };
}

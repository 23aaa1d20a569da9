import type { ChildData } from "./child-data.ts";

/** An open subagent that has not started to work. */
export interface SpawnedChild {
  readonly agent: string;
  /** ID of its thread. Absent if the agent is not inspectable. */
  readonly thread: string | undefined;
  /** Absent if isolation was not asked for. */
  readonly isolation: "layer" | "none" | undefined;
  /** Runs it when its turn comes, and closes it. Call it once. */
  run(signal: AbortSignal): Promise<ChildData>;
}

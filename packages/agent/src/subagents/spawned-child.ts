import type { ChildData } from "./child-data.ts";

/** A child that has not begun. */
export interface SpawnedChild {
  readonly agent: string;
  /** Absent if nobody is to look at it. */
  readonly thread: string | undefined;
  /** Has it do its work when it is its turn, and lets go of it. To be called once. */
  run(signal: AbortSignal): Promise<ChildData>;
}

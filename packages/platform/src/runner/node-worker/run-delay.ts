import { openSync, readSync } from "node:fs";

// How many calls are measured after one that seemed slow.
const callsPerSuspicion = 64;

/** Measures how long calls wait for the processor. */
export interface RunDelay {
  /** A call begins. */
  begin(): void;
  /** Returns how many of the milliseconds that a call took it waited for the processor, if known. */
  end(ms: number): number | undefined;
}

/**
 * Reads how long the kernel kept this thread waiting for a processor. A call that is slow only because
 * the machine is busy would not be quicker in another process. It reads only while calls seem slow.
 */
export function openRunDelay(slowMs: number): RunDelay {
  const descriptor = open();
  const text = Buffer.alloc(128);
  const read = (): number => {
    const length = readSync(descriptor as number, text, 0, text.length, 0);
    return Number(text.toString("latin1", 0, length).split(" ")[1]) / 1e6;
  };
  let suspicion = 0;
  let before: number | undefined;
  return {
    begin: () => {
      before = suspicion > 0 && descriptor !== undefined ? read() : undefined;
    },
    end: (ms) => {
      if (ms < slowMs) {
        if (suspicion > 0) suspicion -= 1;
        return undefined;
      }
      suspicion = callsPerSuspicion;
      return before === undefined ? undefined : Math.min(read() - before, ms);
    },
  };
}

// Not every system has this file.
function open(): number | undefined {
  try {
    return openSync("/proc/self/schedstat", "r");
  } catch {
    return undefined;
  }
}

import type { Clock } from "@haft/core";
import { systemClock } from "@haft/core/internal";

const pauses: readonly number[] = [1_000, 2_000, 5_000, 15_000, 60_000];

/** Delays retries after failures. */
export interface BackOff {
  /** Milliseconds until the next attempt and the last failure, or `undefined` if it may start now. */
  pause(): { readonly left: number; readonly why: string } | undefined;
  failed(why: string): void;
  succeeded(): void;
}

/** Creates a back-off with pauses of 1, 2, 5, 15 and then always 60 seconds. */
export function createBackOff(clock: Pick<Clock, "monotonic"> = systemClock): BackOff {
  let failures = 0;
  let until = 0;
  let reason = "";
  return {
    pause: () => {
      const left = until - clock.monotonic();
      return failures === 0 || left <= 0 ? undefined : { left, why: reason };
    },
    failed: (why) => {
      until = clock.monotonic() + (pauses[Math.min(failures, pauses.length - 1)] as number);
      failures++;
      reason = why;
    },
    succeeded: () => {
      failures = 0;
    },
  };
}

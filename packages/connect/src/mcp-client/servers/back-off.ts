import { type Clock, systemClock } from "@haft/core";

const pauses: readonly number[] = [1_000, 2_000, 5_000, 15_000, 60_000];

/** Keeps from trying again at once what just failed. */
export interface BackOff {
  /** Milliseconds until it may be tried again, and why not before; `undefined` if it may be now. */
  pause(): { readonly left: number; readonly why: string } | undefined;
  failed(why: string): void;
  /** It has worked. */
  succeeded(): void;
}

/** After each failure the pause is longer: 1, 2, 5, 15 and from then on 60 seconds. */
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

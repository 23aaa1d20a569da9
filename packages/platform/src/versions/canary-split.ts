import { createHash } from "node:crypto";
import type { CanaryRow } from "../store/schema.ts";

/** The columns of a canary that decide which calls it gets. */
export type CanaryShare = Pick<CanaryRow, "id" | "version_id" | "percent">;

/** Decides which calls of `latest` a canary gets. */
export interface CanarySplit {
  /**
   * Calls with the same conversation get the same version. Other calls are dealt out evenly, the
   * first one to the canary.
   */
  isForCanary(canary: CanaryShare, conversationId: string | null | undefined): boolean;
}

const maxKnown = 10_000;

/** Creates a split with the calls of this process. */
export function createCanarySplit(): CanarySplit {
  const credits = new Map<string, number>();
  return {
    isForCanary: ({ id, percent }, conversationId) => {
      if (typeof conversationId === "string") {
        const hash = createHash("sha256").update(`${id} ${conversationId}`).digest();
        return hash.readUInt32BE(0) % 100 < percent;
      }
      const credit = (credits.get(id) ?? 100 - percent) + percent;
      if (credits.size >= maxKnown) credits.clear();
      credits.set(id, credit >= 100 ? credit - 100 : credit);
      return credit >= 100;
    },
  };
}

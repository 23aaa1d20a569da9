import { identifyProcess, isRunning, type ProcessIdentity } from "../locks/process-identity.ts";

/** Identifies this process as the holder of something, in a form that other processes can check. */
export function describeHolder(): string {
  return JSON.stringify(identifyProcess());
}

/**
 * Returns whether a holder still runs. One that this process can't check, for example in another
 * container, counts as running, so that nothing is taken from it.
 */
export function isHolding(holder: string): boolean {
  try {
    return isRunning(JSON.parse(holder) as ProcessIdentity) !== false;
  } catch {
    return false;
  }
}

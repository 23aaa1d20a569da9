import { identifyProcess, isRunning, type ProcessIdentity } from "../locks/process-identity.ts";

/** This process as the holder of something, in words that other processes can judge. */
export function describeHolder(): string {
  return JSON.stringify(identifyProcess());
}

/**
 * Whether a holder still runs. One that this process can't judge, such as one in another container, is
 * taken to run: what it holds is not taken from it.
 */
export function isHolding(holder: string): boolean {
  try {
    return isRunning(JSON.parse(holder) as ProcessIdentity) !== false;
  } catch {
    return false;
  }
}

import { ToolError } from "@haft/contract";
import type { CallScope } from "@haft/core";
import type { Access, PathPolicy } from "../paths/path-policy.ts";
import type { DiskSearch } from "../search/disk-search.ts";
import { findLanding } from "./landing.ts";
import type { Pin, Pinning } from "./pin.ts";
import { fromSystemError, isSystemError } from "./system-error.ts";

/** What file operations need to know about their call. */
export interface DiskCall {
  readonly scope: CallScope;
  readonly policy: PathPolicy;
  readonly pinning: Pinning;
  readonly roots: readonly string[];
  readonly search: DiskSearch;
  /** Whether a change waits until it is flushed to disk. */
  readonly flush: boolean;
}

/**
 * Pins what an absolute path leads to. Both the requested path and where it leads are checked. A
 * file with a second hard link outside can't be told from one of the workspace: it can be read, and
 * a change replaces it under this name only.
 */
export function pinJudged(asked: string, access: Access, call: DiskCall): Pin {
  call.policy.judge(access, asked, asked);
  const pin = pinOrExplain(asked, access, call);
  if (pin.landing === asked) return pin;
  try {
    call.policy.judge(access, pin.landing, asked);
    return pin;
  } catch (error) {
    pin.close();
    throw error;
  }
}

/**
 * Converts a failure into an error for the model. Where the path leads is checked first: outside the
 * grant the error must not reveal what is there, not even by failing differently.
 */
export function explainFailure(
  error: unknown,
  { asked, access }: { readonly asked: string; readonly access: Access },
  call: DiskCall,
): unknown {
  if (ToolError.isInstance(error) || !isSystemError(error)) return error;
  try {
    call.policy.judge(access, findLanding(asked), asked);
  } catch (refusal) {
    return refusal;
  }
  return fromSystemError(error, asked);
}

function pinOrExplain(asked: string, access: Access, call: DiskCall): Pin {
  try {
    return call.pinning.pin(asked);
  } catch (error) {
    throw explainFailure(error, { asked, access }, call);
  }
}

import { ToolError } from "@haft/contract";
import type { CallScope } from "@haft/core";
import type { Access, PathPolicy } from "../paths/path-policy.ts";
import type { DiskSearch } from "../search/disk-search.ts";
import { findLanding } from "./landing.ts";
import type { Pin, Pinning } from "./pin.ts";
import { fromSystemError, isSystemError } from "./system-error.ts";

/** What the operations on files need to know of the call they work for. */
export interface DiskCall {
  readonly scope: CallScope;
  readonly policy: PathPolicy;
  readonly pinning: Pinning;
  readonly roots: readonly string[];
  readonly search: DiskSearch;
  /** Whether a change waits until the disk has it. */
  readonly flush: boolean;
}

/**
 * Pins what an absolute path leads to, judged as it was asked for and where it landed. A file that
 * has a second name outside can't be told from one of the workspace: it is read, and a change gives
 * this name another file.
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
 * Makes a failure fit for the model. Where the path leads is judged first: outside the grant the
 * answer must not tell what is there, not even by failing differently.
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

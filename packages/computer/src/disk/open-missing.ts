import { lstatSync } from "node:fs";
import { nameOf, parentOf } from "../paths/path-parts.ts";
import { type DiskCall, explainFailure } from "./disk-call.ts";
import { findLanding } from "./landing.ts";
import type { Pin } from "./pin.ts";
import type { Place } from "./place.ts";
import { isSystemError } from "./system-error.ts";

/**
 * The place of a path that may not even have a directory: then it is the nearest name above it that
 * is not there. `undefined` if the directory is there, so that the path has a place of its own.
 */
export function openMissing(asked: string, call: DiskCall): Place | undefined {
  call.policy.judge("change", asked, asked);
  const landing = findLanding(asked);
  call.policy.judge("change", landing, asked);
  let missing = landing;
  let directory = tryPin(parentOf(missing), asked, call);
  while (directory === undefined) {
    missing = parentOf(missing);
    directory = tryPin(parentOf(missing), asked, call);
  }
  const name = nameOf(missing);
  if (missing !== landing && isFree(directory, name)) {
    return { directory, name, landing, found: undefined, made: [] };
  }
  directory.close();
  return undefined;
}

// The top is always there.
function tryPin(directory: string, asked: string, call: DiskCall): Pin | undefined {
  try {
    return call.pinning.pin(directory);
  } catch (error) {
    if (isSystemError(error) && error.code === "ENOENT") return undefined;
    throw explainFailure(error, { asked, access: "change" }, call);
  }
}

function isFree(directory: Pin, name: string): boolean {
  return lstatSync(directory.at(name), { throwIfNoEntry: false }) === undefined;
}

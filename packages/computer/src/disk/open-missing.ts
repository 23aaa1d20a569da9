import { lstatSync } from "node:fs";
import { nameOf, parentOf } from "../paths/path-parts.ts";
import { type DiskCall, explainFailure } from "./disk-call.ts";
import { findLanding } from "./landing.ts";
import type { Pin } from "./pin.ts";
import type { PinnedEntry } from "./pinned-entry.ts";
import { isSystemError } from "./system-error.ts";

/**
 * The entry of a path whose directory may be missing: then it is the nearest missing name above.
 * `undefined` if the directory exists, so that the path has an entry of its own.
 */
export function openMissing(asked: string, call: DiskCall): PinnedEntry | undefined {
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

// The root always exists.
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

import type { FileSystem, Grant } from "@haft/contract";
import type { Computer } from "../computer.ts";

/**
 * Opens files that can't be changed and that no rule closes. They have no state of a call, so all calls
 * with this grant share them.
 */
export function openToRead(grant: Grant, computer: Computer): FileSystem {
  let files = readable.get(grant);
  if (files === undefined) {
    files = computer.openFiles({
      callId: "",
      grant: { ...grant, mayWrite: () => false },
      journal: { record: () => {}, latest: async () => [] },
      changed: () => {},
      isDenied: () => false,
      isNamed: () => false,
      signal: neverAborted,
    });
    readable.set(grant, files);
  }
  return files;
}

const readable = new WeakMap<Grant, FileSystem>();
const neverAborted = new AbortController().signal;

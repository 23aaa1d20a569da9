import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sidecars } from "@haft/core";
import { isSystemError } from "../disk/system-error.ts";
import type { SessionDirectory } from "./session-directory.ts";
import { sidecarNames } from "./sidecar-names.ts";
import { storageError } from "./storage-error.ts";

/** Keeps whole outputs in files that go when the session closes. */
export function createDiskSidecars(session: SessionDirectory): Sidecars {
  const directory = join(session.path, "sidecars");
  return {
    directory,
    write: async (callId, content) => {
      session.make("sidecars");
      for (const name of sidecarNames(callId)) {
        const path = join(directory, name);
        if (await writeNew(path, content, directory)) return path;
      }
      throw new Error("There is always another name.");
    },
  };
}

async function writeNew(
  path: string,
  content: string | Uint8Array,
  directory: string,
): Promise<boolean> {
  try {
    // `wx`: never through a link, never over another output.
    await writeFile(path, content, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (isSystemError(error) && error.code === "EEXIST") return false;
    await rm(path, { force: true });
    throw storageError(error, directory);
  }
}

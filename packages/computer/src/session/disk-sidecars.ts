import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Sidecars, SidecarWriter } from "@haft/core";
import { isSystemError } from "../disk/system-error.ts";
import type { SessionDirectory } from "./session-directory.ts";
import { sidecarNames } from "./sidecar-names.ts";
import { storageError } from "./storage-error.ts";

/** Stores whole outputs in files that are removed when the session closes. */
export function createDiskSidecars(session: SessionDirectory): Sidecars {
  const directory = join(session.path, "sidecars");
  const openWriter = (callId: string): SidecarWriter =>
    createWriter(async () => {
      session.make("sidecars");
      return openFree(directory, callId);
    }, directory);
  return {
    directory,
    open: openWriter,
    write: async (callId, content) => {
      const writer = openWriter(callId);
      await writer.write(content);
      return writer.end();
    },
  };
}

interface OpenSidecar {
  readonly path: string;
  readonly file: FileHandle;
}

function createWriter(make: () => Promise<OpenSidecar>, directory: string): SidecarWriter {
  let opening: Promise<OpenSidecar> | undefined;
  const opened = (): Promise<OpenSidecar> => {
    opening ??= make();
    return opening;
  };
  const discard = async (): Promise<void> => {
    const sidecar = await opening?.catch(() => undefined);
    if (sidecar === undefined) return;
    await sidecar.file.close().catch(() => {});
    await rm(sidecar.path, { force: true });
  };
  // Half an output would pass for a complete one.
  const orDiscard = async <T>(action: () => Promise<T>): Promise<T> => {
    try {
      return await action();
    } catch (error) {
      await discard();
      throw storageError(error, directory);
    }
  };
  return {
    discard,
    write: (part) =>
      orDiscard(async () => {
        await (await opened()).file.writeFile(part);
      }),
    end: () =>
      orDiscard(async () => {
        const { file, path } = await opened();
        await file.close();
        return path;
      }),
  };
}

async function openFree(directory: string, callId: string): Promise<OpenSidecar> {
  for (const name of sidecarNames(callId)) {
    const path = join(directory, name);
    try {
      // `wx`: never through a link, never over another output.
      return { path, file: await open(path, "wx", 0o600) };
    } catch (error) {
      if (!isSystemError(error) || error.code !== "EEXIST") throw error;
    }
  }
  throw new Error("unreachable: the names never run out");
}

import { constants, lstatSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { sidecarNames } from "./sidecar-names.ts";

/** The file with the whole output of a call. */
export interface StoredSidecar {
  readonly name: string;
  readonly bytes: number;
}

const maxListed = 50;

/** Lists the outputs of a call that are kept in a session's directory. */
export function listSidecars(directory: string, callId: string): StoredSidecar[] {
  const found: StoredSidecar[] = [];
  for (const name of sidecarNames(callId)) {
    const stats = lstatSync(join(directory, "sidecars", name), { throwIfNoEntry: false });
    if (stats === undefined || !stats.isFile() || found.length === maxListed) return found;
    found.push({ name, bytes: stats.size });
  }
  return found;
}

/** Opens an output in a session's directory by its file name; `undefined` if there is none. */
export async function openSidecar(
  directory: string,
  name: string,
): Promise<{ readonly bytes: number; readonly content: Readable } | undefined> {
  if (basename(name) !== name) return undefined;
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const path = join(directory, "sidecars", name);
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
  if (file === undefined) return undefined;
  const stats = await file.stat();
  if (!stats.isFile()) {
    await file.close();
    return undefined;
  }
  // An output may still grow: no more is sent than was announced. A stream can't be told to read nothing.
  if (stats.size === 0) {
    await file.close();
    return { bytes: 0, content: Readable.from([]) };
  }
  const content = file.createReadStream({ start: 0, end: stats.size - 1 });
  return { bytes: stats.size, content };
}

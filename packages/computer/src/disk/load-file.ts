import { type BigIntStats, closeSync, constants, fstatSync } from "node:fs";
import type { LoadedFile } from "@haft/contract";
import { mostBytesToRead } from "../paths/clamp-window.ts";
import { changedMeanwhile, tooLargeToChange } from "../paths/path-errors.ts";
import { type DiskCall, explainFailure, pinJudged } from "./disk-call.ts";
import { versionOf } from "./file-version.ts";
import { readBytes } from "./read-bytes.ts";
import { requireRegular } from "./read-file.ts";

/** Reads all of a file, and the version that the bytes are. */
export async function loadFile(asked: string, call: DiskCall): Promise<LoadedFile> {
  call.policy.judge("read", asked, asked);
  let fd: number | undefined;
  try {
    const plain = call.pinning.openPlain?.(asked);
    fd = plain?.fd ?? openPinned(asked, call);
    if (plain !== undefined && plain.landing !== asked) {
      call.policy.judge("read", plain.landing, asked);
    }
    for (let attempt = 1; attempt <= mostAttempts; attempt++) {
      const before = fstatSync(fd, { bigint: true });
      const bytes = readWhole(fd, before, asked);
      const content = bytes instanceof Promise ? await bytes : bytes;
      const version = versionOf(before);
      // Else somebody wrote into the file while it was read, and the bytes may be of both.
      if (version === versionOf(fstatSync(fd, { bigint: true }))) return { content, version };
    }
    throw changedMeanwhile(asked);
  } catch (error) {
    throw explainFailure(error, { asked, access: "read" }, call);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

const mostAttempts = 3;

function openPinned(asked: string, call: DiskCall): number {
  const pin = pinJudged(asked, "read", call);
  try {
    requireRegular(pin.stats, asked);
    return pin.open(constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } finally {
    pin.close();
  }
}

function readWhole(
  fd: number,
  stats: BigIntStats,
  asked: string,
): Uint8Array | Promise<Uint8Array> {
  const size = Number(stats.size);
  // Whoever wants all of a file is about to change it.
  if (size > mostBytesToRead) throw tooLargeToChange(asked, size, mostBytesToRead);
  return readBytes(fd, 0, size);
}

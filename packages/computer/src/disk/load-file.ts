import { type BigIntStats, closeSync, constants, fstatSync } from "node:fs";
import type { LoadedFile } from "@haft/contract";
import { maxBytesToRead } from "../paths/clamp-window.ts";
import { changedMeanwhile, tooLargeToChange } from "../paths/path-errors.ts";
import { type DiskCall, explainFailure, pinJudged } from "./disk-call.ts";
import { versionOf } from "./file-version.ts";
import { readBytes } from "./read-bytes.ts";
import { requireRegular } from "./read-file.ts";

/** Reads a whole file, and the version of those bytes. */
export async function loadFile(asked: string, call: DiskCall): Promise<LoadedFile> {
  call.policy.judge("read", asked, asked);
  let fd: number | undefined;
  try {
    const plain = call.pinning.openPlain?.(asked);
    fd = plain?.fd ?? openPinned(asked, call);
    if (plain !== undefined && plain.landing !== asked) {
      call.policy.judge("read", plain.landing, asked);
    }
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const before = fstatSync(fd, { bigint: true });
      const bytes = readWhole(fd, before, asked);
      const content = bytes instanceof Promise ? await bytes : bytes;
      const version = versionOf(before);
      // Otherwise the file was written during the read, and the bytes may mix both versions.
      if (version === versionOf(fstatSync(fd, { bigint: true }))) return { content, version };
    }
    throw changedMeanwhile(asked);
  } catch (error) {
    throw explainFailure(error, { asked, access: "read" }, call);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

const maxAttempts = 3;

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
  // A caller that wants the whole file is about to change it.
  if (size > maxBytesToRead) throw tooLargeToChange(asked, size, maxBytesToRead);
  return readBytes(fd, 0, size);
}

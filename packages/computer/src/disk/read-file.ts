import { type BigIntStats, closeSync, constants } from "node:fs";
import type { ByteWindow } from "@haft/contract";
import { enterTimeSlice, isTimeSliceSpent } from "@haft/contract/internal";
import { clampWindow } from "../paths/clamp-window.ts";
import { isDirectory, notRegular } from "../paths/path-errors.ts";
import { type DiskCall, explainFailure, pinJudged } from "./disk-call.ts";
import { readBytes } from "./read-bytes.ts";

/** What to read, as requested. */
export interface ReadRequest {
  readonly path: string;
  readonly window: ByteWindow | undefined;
}

/** Reads a file, or the existing part of a window of it. */
export async function readFile(
  { path, window }: ReadRequest,
  resolve: (path: string) => string,
  call: DiskCall,
): Promise<Uint8Array> {
  if (isTimeSliceSpent()) await enterTimeSlice();
  const asked = resolve(path);
  call.policy.judge("read", asked, asked);
  const plain = call.pinning.openPlain?.(asked);
  if (plain === undefined) return readPinned(asked, window, call);
  try {
    if (plain.landing !== asked) call.policy.judge("read", plain.landing, asked);
    const { offset, length } = clampWindow(window, plain.size, asked);
    const bytes = readBytes(plain.fd, offset, length);
    return bytes instanceof Promise ? await bytes : bytes;
  } catch (error) {
    throw explainFailure(error, { asked, access: "read" }, call);
  } finally {
    closeSync(plain.fd);
  }
}

async function readPinned(
  asked: string,
  window: ByteWindow | undefined,
  call: DiskCall,
): Promise<Uint8Array> {
  const pin = pinJudged(asked, "read", call);
  let fd: number | undefined;
  try {
    requireRegular(pin.stats, asked);
    const { offset, length } = clampWindow(window, Number(pin.stats.size), asked);
    fd = pin.open(constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    const bytes = readBytes(fd, offset, length);
    return bytes instanceof Promise ? await bytes : bytes;
  } catch (error) {
    throw explainFailure(error, { asked, access: "read" }, call);
  } finally {
    if (fd !== undefined) closeSync(fd);
    pin.close();
  }
}

/** Throws unless it is a regular file: opening anything else can hang or have effects. */
export function requireRegular(stats: BigIntStats, asked: string): void {
  if (stats.isFile()) return;
  throw stats.isDirectory() ? isDirectory(asked) : notRegular(asked);
}

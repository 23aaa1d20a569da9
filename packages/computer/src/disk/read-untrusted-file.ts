import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { relative, resolve } from "node:path";
import { isInside } from "@haft/contract/internal";

/** How an untrusted file is read. */
export interface UntrustedReadOptions {
  /** The directory that foreign code can't replace. No link is followed below it. */
  readonly within: string;
  readonly maxBytes: number;
  /** Whether the head of a longer file is returned. Default: a longer file is a fault. */
  readonly takesHead?: boolean;
  /** User IDs that may own the file. Default: any owner. */
  readonly owners?: readonly number[];
}

/** The content of an untrusted file, or a fault: the rest of a sentence that starts with the path. */
export type UntrustedRead =
  | { readonly bytes: Buffer; readonly stats: Stats; readonly fault?: undefined }
  | { readonly fault: string; readonly isMissing: boolean; readonly bytes?: undefined };

/**
 * Reads a file that lies where foreign code can write: a repository, a workspace, a sandbox's output.
 * Follows no link in any component below `within`, never blocks on a pipe or a device, and reads at
 * most `maxBytes`, even if the file grows meanwhile.
 */
export function readUntrustedFile(path: string, options: UntrustedReadOptions): UntrustedRead {
  const { within, maxBytes, takesHead = false, owners } = options;
  let descriptor: number;
  try {
    descriptor = openSync(path, flags);
  } catch (error) {
    return describeFailure(error as NodeJS.ErrnoException);
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return refuse("is not a regular file");
    if (owners !== undefined && !owners.includes(stats.uid)) return refuse("has another owner");
    if (!isReachedDirectly(descriptor, path, within)) return refuse("is reached through a link");
    if (stats.size > maxBytes && !takesHead) {
      return refuse(`has ${stats.size} bytes; the limit is ${maxBytes}`);
    }
    return { bytes: readAtMost(descriptor, Math.min(stats.size, maxBytes)), stats };
  } catch (error) {
    return describeFailure(error as NodeJS.ErrnoException);
  } finally {
    closeSync(descriptor);
  }
}

const flags =
  constants.O_RDONLY |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0) |
  (constants.O_NOCTTY ?? 0);

// Checks the open file, not the path: a directory that is swapped meanwhile makes no difference.
function isReachedDirectly(descriptor: number, path: string, within: string): boolean {
  const base = resolve(within);
  const absolute = resolve(path);
  if (!isInside(base, absolute)) return false;
  const expected = resolve(realpathSync.native(base), relative(base, absolute));
  return locate(descriptor, absolute) === expected;
}

function locate(descriptor: number, path: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    // Without /proc a link that is swapped in at this very moment goes unnoticed.
    return realpathSync.native(path);
  }
}

function readAtMost(descriptor: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const count = readSync(descriptor, bytes, filled, size - filled, null);
    // The file became shorter.
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

function describeFailure({ code, message }: NodeJS.ErrnoException): UntrustedRead {
  if (code === "ENOENT" || code === "ENOTDIR") return { fault: "does not exist", isMissing: true };
  // Opening a link without following it fails with ELOOP, a socket with ENXIO.
  if (code === "ELOOP" || code === "EMLINK") return refuse("is a symbolic link");
  if (code === "ENXIO" || code === "EISDIR") return refuse("is not a regular file");
  if (code === "EACCES" || code === "EPERM") return refuse("is not readable by this user");
  return refuse(`can't be read (${code ?? message})`);
}

function refuse(fault: string): UntrustedRead {
  return { fault, isMissing: false };
}

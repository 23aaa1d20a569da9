import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
} from "node:fs";
import type { OpenFile, Pin, Pinning } from "./pin.ts";

// Linux's O_PATH finds a file without opening it: no permission is needed, no pipe or device
// notices, and the descriptor serves as an anchor. Node has no name for it.
const O_PATH = 0o10000000;

/** Pins by descriptor and accesses through `/proc/self/fd`, which no swap of names can redirect. */
export const procPinning: Pinning = {
  pin: (path, options) => {
    const fd = openSync(path, options?.noFollow ? O_PATH | constants.O_NOFOLLOW : O_PATH);
    try {
      const stats = fstatSync(fd, { bigint: true });
      return new DescriptorPin(fd, findLanding(fd), stats);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  },

  openPlain: (path) => {
    try {
      // Checked first: opening a pipe or a device has effects.
      if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
      return describeOpen(openSync(path, plainFlags));
    } catch {
      return undefined;
    }
  },
};

// Neither waits for a pipe nor follows a link that replaced the file since it was looked at.
const plainFlags =
  constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY | constants.O_NOFOLLOW;

function describeOpen(fd: number): OpenFile | undefined {
  try {
    const stats = fstatSync(fd);
    if (stats.isFile()) return { fd, landing: findLanding(fd), size: stats.size };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  closeSync(fd);
  return undefined;
}

/** Returns whether this system supports pinning through `/proc`. */
export function canPinThroughProc(): boolean {
  if (process.platform !== "linux") return false;
  try {
    const pin = procPinning.pin("/");
    closeSync(pin.open(constants.O_RDONLY | constants.O_DIRECTORY));
    pin.close();
    return pin.landing === "/";
  } catch {
    return false;
  }
}

class DescriptorPin implements Pin {
  readonly landing: string;
  readonly stats: BigIntStats;
  readonly reach: string;
  readonly #fd: number;

  constructor(fd: number, landing: string, stats: BigIntStats) {
    this.#fd = fd;
    this.landing = landing;
    this.stats = stats;
    this.reach = `/proc/self/fd/${fd}`;
  }

  at(name: string): string {
    return `${this.reach}/${name}`;
  }

  open(flags: number): number {
    return openSync(this.reach, flags);
  }

  close(): void {
    closeSync(this.#fd);
  }
}

const gone = " (deleted)";

function findLanding(fd: number): string {
  const landing = readlinkSync(`/proc/self/fd/${fd}`);
  if (!landing.endsWith(gone)) return landing;
  const stats = fstatSync(fd, { bigint: true });
  // Either a file that was replaced meanwhile, or one that really has this name.
  const named = lstatSync(landing, { bigint: true, throwIfNoEntry: false });
  return named?.ino === stats.ino && named.dev === stats.dev
    ? landing
    : landing.slice(0, -gone.length);
}

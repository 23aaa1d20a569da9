import { closeSync, constants, fstatSync, openSync, readlinkSync } from "node:fs";
import type { LaunchPlan } from "./launch-plan.ts";

/** The pinned paths of a plan, open until its process was started. */
export interface OpenedPaths {
  /** For each descriptor of the plan what to pass on, or `undefined` if it has no path. */
  readonly descriptors: readonly (number | undefined)[];
  close(): void;
}

// Linux's O_PATH flag, to find a file without opening it. Node has no name for it.
const O_PATH = 0o10000000;

/**
 * Pins the paths that a plan names. A program in another sandbox may swap a directory for a link at
 * any time: a path that leads elsewhere by now is an error, and what was found stays found.
 */
export function openPaths({ descriptors }: Pick<LaunchPlan, "descriptors">): OpenedPaths {
  const opened: number[] = [];
  const close = (): void => {
    for (const fd of opened.splice(0)) closeSync(fd);
  };
  try {
    return {
      descriptors: descriptors.map((descriptor) => {
        if (descriptor.role !== "place") return undefined;
        const fd = openSync(descriptor.path, O_PATH | constants.O_NOFOLLOW);
        opened.push(fd);
        requireThere(fd, descriptor.path);
        return fd;
      }),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

function requireThere(fd: number, path: string): void {
  const landing = readlinkSync(`/proc/self/fd/${fd}`);
  if (landing === path && !fstatSync(fd).isSymbolicLink()) return;
  throw new Error(`${path} has become a link, or leads through one. Try again`);
}

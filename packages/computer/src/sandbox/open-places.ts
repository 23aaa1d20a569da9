import { closeSync, constants, fstatSync, openSync, readlinkSync } from "node:fs";
import type { LaunchPlan } from "./launch-plan.ts";

/** The places of a plan, held for as long as it takes to start its process. */
export interface OpenedPlaces {
  /** For each descriptor of the plan what to hand over, or `undefined` if it is no place. */
  readonly descriptors: readonly (number | undefined)[];
  close(): void;
}

// Linux's flag to find a file without opening it. Node has no name for it.
const O_PATH = 0o10000000;

/**
 * Finds the places that a plan names. Whoever runs in another sandbox may swap a directory for a
 * link at any time: a path that leads elsewhere by now is an error, and what was found stays found.
 */
export function openPlaces({ descriptors }: Pick<LaunchPlan, "descriptors">): OpenedPlaces {
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
  throw new Error(`${path} has become a link, or leads over one. Try again`);
}

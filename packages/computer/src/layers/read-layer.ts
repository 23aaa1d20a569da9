import {
  type BigIntStats,
  closeSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  readSync,
} from "node:fs";
import { enterTimeSlice, isTimeSliceSpent } from "@haft/contract/internal";
import type { Pin } from "../disk/pin.ts";
import { procPinning } from "../disk/proc-pinning.ts";
import { isSystemError } from "../disk/system-error.ts";
import { type Move, withMode } from "../moves/move.ts";

/** What a command did to a path. */
export type LayerChange = Move;

/** All that a command did below a root of the workspace. */
export interface LayerContent {
  /** Directories come before what is in them, a deletion before what takes its place. */
  readonly changes: readonly LayerChange[];
  /** Sockets, pipes, devices and names that are not UTF-8: they stay behind. */
  readonly omitted: readonly { readonly path: string; readonly source: string }[];
}

/** A root of the workspace, what a command wrote, and which directories it emptied first. */
export interface WrittenRoot {
  readonly path: string;
  readonly upper: string;
  /** Directories below `upper` that hide what the workspace has in the same directory. */
  readonly opaque: ReadonlySet<string>;
  /** Files below `upper` whose extended attributes differ from those in the workspace. */
  readonly attributed: ReadonlySet<string>;
  /** Directories below `upper` that were opened to be read, with the permissions that they had. */
  readonly closed: ReadonlyMap<string, number>;
}

/** Compares what a command wrote with the workspace. A file that was only opened is no change. */
export async function readLayer({
  path,
  upper,
  opaque,
  attributed,
  closed,
}: WrittenRoot): Promise<LayerContent> {
  const changes: LayerChange[] = [];
  const omitted: { path: string; source: string }[] = [];
  // Files that the command gave another name and did not change otherwise.
  const linked = new Map<bigint, string>();
  const removeAll = async (at: string, before: BigIntStats): Promise<void> => {
    changes.push({ path: at, kind: "deleted", before });
    if (!before.isDirectory()) return;
    for (const name of listNames(at)) {
      const below = lookAt(`${at}/${name}`);
      if (below !== undefined) await removeAll(`${at}/${name}`, below);
      if (isTimeSliceSpent()) await enterTimeSlice();
    }
  };
  const enter = async (from: string, to: string, isMerged: boolean): Promise<void> => {
    const names = readdirSync(from);
    if (isMerged && opaque.has(from)) {
      const written = new Set(names);
      for (const name of listNames(to).filter((each) => !written.has(each))) {
        const before = lookAt(`${to}/${name}`);
        if (before !== undefined) await removeAll(`${to}/${name}`, before);
      }
    }
    for (const name of names) {
      if (isTimeSliceSpent()) await enterTimeSlice();
      await compare(`${from}/${name}`, `${to}/${name}`, isMerged);
    }
  };
  const compare = async (source: string, to: string, isMerged: boolean): Promise<void> => {
    const stats = withMode(lookAt(source), closed.get(source));
    const before = isMerged ? lookAt(to) : undefined;
    if (stats !== undefined && isWhiteout(stats)) {
      if (before !== undefined) await removeAll(to, before);
      return;
    }
    // Nothing is found under a name that is not UTF-8.
    if (!(stats?.isFile() || stats?.isDirectory() || stats?.isSymbolicLink())) {
      omitted.push({ path: to, source });
      return;
    }
    const isSameType = before !== undefined && typeOf(before) === typeOf(stats);
    if (before !== undefined && !isSameType) await removeAll(to, before);
    const after = { stats, source };
    if (!isSameType) changes.push({ path: to, kind: "created", before: undefined, after });
    else if (
      !stats.isDirectory() &&
      (attributed.has(source) || !isSameContent({ source, stats }, { path: to, before }))
    ) {
      changes.push({ path: to, kind: "modified", before, after });
    } else if (!stats.isSymbolicLink() && modeOf(stats) !== modeOf(before)) {
      changes.push({ path: to, kind: "mode", before, after });
    } else if (stats.isFile() && stats.nlink > 1n) linked.set(stats.ino, to);
    if (stats.isDirectory()) await enter(source, to, isSameType);
  };
  await enter(upper, path, true);
  return { changes: changes.map((change) => nameOriginal(change, linked)), omitted };
}

function nameOriginal(change: LayerChange, linked: ReadonlyMap<bigint, string>): LayerChange {
  const { after, kind } = change;
  if (kind !== "created" || !after?.stats.isFile()) return change;
  const linkOf = linked.get(after.stats.ino);
  return linkOf === undefined ? change : { ...change, after: { ...after, linkOf } };
}

/** What a path is, links not followed; `undefined` if nothing is there. */
export function lookAt(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

/** The permissions of a path. */
function modeOf(stats: BigIntStats): number {
  return Number(stats.mode & 0o7777n);
}

/** How the kernel marks that something was deleted. */
function isWhiteout(stats: BigIntStats): boolean {
  return stats.isCharacterDevice() && stats.rdev === 0n;
}

function typeOf(stats: BigIntStats): bigint {
  return stats.mode & 0o170000n;
}

function isSameContent(
  written: { readonly source: string; readonly stats: BigIntStats },
  present: { readonly path: string; readonly before: BigIntStats },
): boolean {
  if (written.stats.isSymbolicLink()) {
    return readlinkSync(written.source, "buffer").equals(readlinkSync(present.path, "buffer"));
  }
  return written.stats.size === present.before.size && isSameFile(written.source, present.path);
}

const chunkBytes = 256 * 1024;

/** Compares two files of the same size. What is no longer a file at its path differs. */
function isSameFile(one: string, other: string): boolean {
  const files = [one, other].map((path) => ({ path, opened: procPinning.openPlain?.(path) }));
  try {
    const [first, second] = files.map(({ path, opened }) =>
      opened?.landing === path ? opened.fd : undefined,
    );
    return first !== undefined && second !== undefined && hasSameBytes(first, second);
  } finally {
    for (const { opened } of files) if (opened !== undefined) closeSync(opened.fd);
  }
}

function hasSameBytes(one: number, other: number): boolean {
  const buffers = [Buffer.allocUnsafe(chunkBytes), Buffer.allocUnsafe(chunkBytes)] as const;
  for (;;) {
    const first = buffers[0].subarray(0, readSync(one, buffers[0], 0, chunkBytes, null));
    const second = buffers[1].subarray(0, readSync(other, buffers[1], 0, chunkBytes, null));
    if (!first.equals(second)) return false;
    if (first.length === 0) return true;
  }
}

/** The names in a directory of the workspace. A job may have put a link in its place. */
function listNames(directory: string): readonly string[] {
  let pin: Pin | undefined;
  try {
    pin = procPinning.pin(directory, { noFollow: true });
    return pin.landing === directory && pin.stats.isDirectory() ? readdirSync(pin.reach) : [];
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  } finally {
    pin?.close();
  }
}

import {
  chmodSync,
  cpSync,
  lstatSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { isSystemError } from "../disk/system-error.ts";
import { nameTemporary } from "../disk/temporary-file.ts";
import { parentOf } from "../paths/path-parts.ts";

/** Moves a file, a link or a directory with everything in it, also to another file system. */
export function moveEntry(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === "EXDEV") copyOver(from, to);
    else if (error.code === "EACCES") renameClosed(from, to, error);
    else throw error;
  }
}

// What is half copied has another name, and what is half removed as well.
function copyOver(from: string, to: string): void {
  const copy = `${parentOf(to)}/${nameTemporary()}`;
  try {
    copyEntry(from, copy);
    renameSync(copy, to);
  } catch (error) {
    rmSync(copy, { recursive: true, force: true });
    throw error;
  }
  const gone = `${parentOf(from)}/${nameTemporary()}`;
  renameSync(from, gone);
  rmSync(gone, { recursive: true, force: true });
}

/**
 * Renames what lies in, goes to, or is a directory that its owner can't write to: a command may have
 * opened it and closed it again. The directories are open only meanwhile.
 */
function renameClosed(from: string, to: string, cause: Error): void {
  const isDirectory = lstatSync(from, { throwIfNoEntry: false })?.isDirectory() === true;
  const places = [parentOf(from), parentOf(to), ...(isDirectory ? [from] : [])];
  const opened = places.flatMap(openDirectory);
  if (opened.length === 0) throw cause;
  let isMoved = false;
  try {
    renameSync(from, to);
    isMoved = true;
  } finally {
    for (const { path, mode } of opened) chmodSync(isMoved && path === from ? to : path, mode);
  }
}

function openDirectory(path: string): { readonly path: string; readonly mode: number }[] {
  const mode = statSync(path).mode & 0o7777;
  if ((mode & 0o200) !== 0) return [];
  chmodSync(path, mode | 0o300);
  return [{ path, mode }];
}

/** Copies something with everything in it. No link is followed. */
export function copyEntry(from: string, to: string): void {
  // Node can't copy a link that leads nowhere.
  if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from, "buffer"), to);
  else cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
}

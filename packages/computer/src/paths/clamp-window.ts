import { type ByteWindow, ToolError } from "@haft/contract";
import { tooLargeToRead } from "./path-errors.ts";

/** What one read returns at most. */
export const mostBytesToRead: number = 64 * 1024 * 1024;

/** The part of a window that exists in a file of this size. */
export function clampWindow(
  window: ByteWindow | undefined,
  size: number,
  path: string,
): ByteWindow {
  if (window !== undefined) requireWindow(window, path);
  const offset = Math.min(window?.offset ?? 0, size);
  const length = Math.min(window?.length ?? size, size - offset);
  if (length > mostBytesToRead) throw tooLargeToRead(path, length, mostBytesToRead);
  return { offset, length };
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function requireWindow({ offset, length }: ByteWindow, path: string): void {
  if (isCount(offset) && isCount(length)) return;
  throw new ToolError(
    "invalid-arguments",
    `The window of ${offset} and ${length} bytes is none: both must be whole numbers from 0.`,
    { absolutePath: path },
  );
}

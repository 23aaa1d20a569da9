import { type ByteWindow, ToolError } from "@haft/contract";
import { tooLargeToRead } from "./path-errors.ts";

/** Maximum number of bytes of one read. */
export const maxBytesToRead: number = 64 * 1024 * 1024;

/** The part of a window that exists in a file of this size. */
export function clampWindow(
  window: ByteWindow | undefined,
  size: number,
  path: string,
): ByteWindow {
  if (window !== undefined) requireWindow(window, path);
  const offset = Math.min(window?.offset ?? 0, size);
  const length = Math.min(window?.length ?? size, size - offset);
  if (length > maxBytesToRead) throw tooLargeToRead(path, length, maxBytesToRead);
  return { offset, length };
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function requireWindow({ offset, length }: ByteWindow, path: string): void {
  if (isCount(offset) && isCount(length)) return;
  throw new ToolError(
    "invalid-arguments",
    `The window is not valid: offset ${offset} and length ${length} must be whole numbers, 0 or greater.`,
    { absolutePath: path },
  );
}

import { chmodSync, mkdirSync } from "node:fs";

/** Makes a directory, and those above it, that only their owner can enter. */
export function makePrivateDirectory(path: string): void {
  const made = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (made !== undefined) chmodSync(path, 0o700);
}

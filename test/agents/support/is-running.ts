import { readdirSync, readFileSync } from "node:fs";

/** Whether a process on this machine has this word in its command line. */
export function isRunning(word: string): boolean {
  return readdirSync("/proc").some((name) => /^\d+$/u.test(name) && hasWord(name, word));
}

function hasWord(id: string, word: string): boolean {
  try {
    return readFileSync(`/proc/${id}/cmdline`, "utf8").split("\0").includes(word);
  } catch {
    // It ended meanwhile.
    return false;
  }
}

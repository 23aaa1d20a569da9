import { join } from "node:path";
import { type ReadText, readTextFile } from "../text-files/read-text-file.ts";
import { maxBodyBytes } from "./skill-fields.ts";

const maxBytes = maxBodyBytes + 64 * 1024;

/** Reads a folder's `SKILL.md`, or `skill.md` if there is none. */
export function openSkillFile(directory: string): {
  readonly file: string;
  readonly read: ReadText;
} {
  const file = join(directory, "SKILL.md");
  const read = readTextFile(file, { maxBytes });
  if (!("isMissing" in read)) return { file, read };
  const other = join(directory, "skill.md");
  const second = readTextFile(other, { maxBytes });
  return "isMissing" in second ? { file, read } : { file: other, read: second };
}

import { join } from "node:path";
import { type ReadText, readTextFile } from "../instructions/read-text-file.ts";
import { mostBodyBytes } from "./skill-fields.ts";

const mostBytes = mostBodyBytes + 64 * 1024;

/** Opens a folder's `SKILL.md`, or `skill.md` where there is none. */
export function openSkillFile(directory: string): {
  readonly file: string;
  readonly read: ReadText;
} {
  const file = join(directory, "SKILL.md");
  const read = readTextFile(file, { mostBytes });
  if (!("isMissing" in read)) return { file, read };
  const other = join(directory, "skill.md");
  const second = readTextFile(other, { mostBytes });
  return "isMissing" in second ? { file, read } : { file: other, read: second };
}

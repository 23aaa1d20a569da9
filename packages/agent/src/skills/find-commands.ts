import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The fields and body of a skill. */
export interface SkillText {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/**
 * Returns why a skill contains commands, as the rest of a sentence, or `undefined` if it is only text.
 * Prose can ask for a command too, like every file that a model reads. That is why rules judge
 * commands when they run; this check covers what the skill itself contains.
 */
export function findCommands(directory: string, { fields, body }: SkillText): string | undefined {
  const field = Object.keys(fields).find((name) => commandField.test(toWords(name)));
  if (field !== undefined) return `has the field ${JSON.stringify(field)}`;
  if (commandText.test(body)) return "has commands in its text";
  return findOtherFile(directory);
}

// Matched as a whole word in a field's name: `allowed-tools`, `allowedTools`, `hooks`; not `description`.
const commandField = /(?:^|[^a-z]|allowed)(?:tool|hook|command|script|exec|shell|run)s?(?![a-z])/u;

function toWords(field: string): string {
  return field.replaceAll(/(?<=[a-z])(?=[A-Z])/gu, "-").toLowerCase();
}

// Shell code blocks, and commands that other programs run when they load a skill: !`command`
const commandText =
  /^[ \t>]*(?:```+|~~~+)[ \t]*\{?\.?(?:(?:ba|z|fi|k|c)?sh|shell|console|terminal|powershell|pwsh|ps1|bat|cmd)\b|!`/imu;
const plainFile = /\.(?:md|markdown|txt)$|(?:^|\/)(?:LICEN[CS]E|NOTICE)[^/]*$/iu;
const maxEntries = 200;

function findOtherFile(directory: string): string | undefined {
  const waiting = [""];
  let looked = 0;
  for (let at = 0; at < waiting.length; at++) {
    const folder = waiting[at] as string;
    const entries = list(join(directory, folder));
    if (entries === undefined) return "has a directory that can't be listed";
    for (const entry of entries) {
      looked += 1;
      if (looked > maxEntries) return `has more than ${maxEntries} files`;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) waiting.push(path);
      else if (!entry.isFile() || !plainFile.test(path) || isExecutable(join(directory, path))) {
        return `has the file ${JSON.stringify(path)}`;
      }
    }
  }
  return undefined;
}

function list(directory: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

function isExecutable(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined || (stats.mode & 0o111) !== 0;
}

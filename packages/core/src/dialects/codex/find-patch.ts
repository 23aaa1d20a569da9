import { toCommandLine } from "./command-line.ts";

/**
 * Returns the patch in a command that only calls `apply_patch`, with an argument or a here document,
 * or `undefined` for any other command. Its paths start at the command's directory.
 */
export function findPatch(command: unknown, workdir: string | undefined): string | undefined {
  const patch = Array.isArray(command) ? patchOfWords(command) : patchOfLine(command);
  return patch === undefined || workdir === undefined ? patch : movePaths(patch, workdir);
}

const names = ["apply_patch", "applypatch"];

function patchOfWords(words: readonly unknown[]): string | undefined {
  const [name, patch] = words;
  if (words.length === 2 && names.includes(String(name))) return String(patch);
  return words.every((word) => typeof word === "string")
    ? patchOfLine(toCommandLine(words))
    : undefined;
}

const hereDocument =
  /^\s*apply_?patch\s+<<-?\s*(?<quote>['"]?)(?<end>\w+)\k<quote>[ \t]*\n(?<patch>.*?)\n\k<end>\s*$/su;

function patchOfLine(line: unknown): string | undefined {
  if (typeof line !== "string" || !/^\s*apply_?patch\s/u.test(line)) return undefined;
  return hereDocument.exec(line)?.groups?.patch;
}

function movePaths(patch: string, workdir: string): string {
  const directory = workdir.replace(/\/+$/u, "");
  return patch.replaceAll(
    /^(\*\*\* (?:(?:Add|Update|Delete) File|Move to): *)(?=[^ /])/gmu,
    (mark) => `${mark}${directory}/`,
  );
}

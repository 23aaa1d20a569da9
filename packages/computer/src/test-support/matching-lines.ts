import { spawnSync } from "node:child_process";
import { rgPath } from "@vscode/ripgrep";

/** The numbers of the lines that ripgrep finds. */
export function askRipgrep(args: readonly string[], lines: readonly string[]): number[] {
  const { stdout, stderr, status } = spawnSync(rgPath, ["--no-config", "-n", ...args, "-"], {
    input: toContent(lines),
    encoding: "utf8",
  });
  if (status === 2) throw new Error(stderr);
  return Array.from(stdout.matchAll(/^(?<number>\d+):/gmu), (row) => Number(row.groups?.number));
}

/** The numbers of the lines that an expression finds in all of them at once. */
export function findLines(regex: RegExp, lines: readonly string[]): number[] {
  const content = toContent(lines);
  const found: number[] = [];
  regex.lastIndex = 0;
  for (let match = regex.exec(content); match !== null; match = regex.exec(content)) {
    if (match.index === content.length) break;
    found.push(content.slice(0, match.index).split("\n").length);
    regex.lastIndex = content.indexOf("\n", match.index) + 1;
  }
  return found;
}

function toContent(lines: readonly string[]): string {
  // The first line is not the place to try a byte order mark.
  return ["", ...lines].map((line) => `${line}\n`).join("");
}

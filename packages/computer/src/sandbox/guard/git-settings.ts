import { isHarmlessSetting } from "./git-config.ts";
import { parseGitConfig } from "./parse-git-config.ts";

/** What a git configuration leads to; paths as written there. */
export interface GitSettings {
  /** Further configuration. */
  readonly includes: readonly string[];
  /** Directories of hooks, or of templates with hooks for new repositories. */
  readonly hooks: readonly string[];
  /** Work trees of the repository. */
  readonly worktrees: readonly string[];
  /** Words that may name programs that git runs. */
  readonly programs: readonly string[];
}

/** Finds everything in a git configuration that leads git to other files that decide what it runs. */
export function readGitSettings(content: string): GitSettings {
  const found = { includes: [], hooks: [], worktrees: [], programs: [] } as {
    [name in keyof GitSettings]: string[];
  };
  for (const { name, value } of parseGitConfig(content)) {
    if (value === "") continue;
    if (/^include(?:if)?\.path$/u.test(name)) found.includes.push(value);
    else if (name === "core.hookspath" || name === "init.templatedir") found.hooks.push(value);
    else if (name === "core.worktree") found.worktrees.push(value);
    else if (name.startsWith("alias.") && !value.startsWith("!")) continue;
    else if (!isHarmlessSetting(name) && !dataFile.test(name)) {
      found.programs.push(...findPrograms(value));
    }
  }
  return found;
}

// Files that git reads but does not run.
const dataFile = /(?:file|\.template)$/u;

// Interpreters and their modules come first, then the script: `!node --import tsx scripts/x.ts`.
const maxWords = 3;

/** The words of a command line that may be programs or scripts: the first of each simple command. */
function findPrograms(commandLine: string): readonly string[] {
  const quoted = /"([^"]*)"|'([^']*)'|[^\s"']+/gu;
  const words = commandLine.split(/[;&|(){}`\n]+/u).flatMap((command) => [
    ...chooseWords([...command.matchAll(quoted)].map((word) => word[1] ?? word[2] ?? word[0])),
    // A quoted word may be a command line of its own.
    ...chooseWords(command.replaceAll(/["']/gu, " ").split(/\s+/u)),
  ]);
  return [...new Set(words)];
}

function chooseWords(words: readonly string[]): readonly string[] {
  return words
    .map((word) => word.replace(/^!/u, ""))
    .filter((word) => word !== "" && !/^-|^\w+=/u.test(word))
    .slice(0, maxWords);
}

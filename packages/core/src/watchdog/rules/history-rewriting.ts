import type { ReadWord } from "../../commands/command-reading.ts";
import { hasOption, operandsOf } from "../reading/arguments-of.ts";
import type { SeenCommand } from "../reading/seen-command.ts";
import { ask, strictest, type WatchdogRule } from "../watchdog-rule.ts";

/** Losing commits or work that is in no commit yet: here, or for everybody by a forced push. */
export const historyRewriting: WatchdogRule = ({ lines }) =>
  strictest(
    lines
      .flatMap(({ commands }) => commands)
      .map((command) => {
        const what = findRewriting(command);
        return what === undefined ? undefined : ask(what);
      }),
  );

function findRewriting({ program, plainArgs }: SeenCommand): string | undefined {
  if (program === "bfg" || program === "git-filter-repo") return `${program} rewrites the history`;
  if (program !== "git") return undefined;
  const [action = "", ...args] = plainArgs;
  return actions[action]?.(args);
}

const actions: Readonly<Record<string, (args: readonly ReadWord[]) => string | undefined>> = {
  push: (args) => {
    if (hasOption(args, "f", ["--force", "--force-with-lease", "--mirror", "--prune"])) {
      return "a forced push replaces commits that others may have";
    }
    const refs = operandsOf(args).slice(1);
    if (hasOption(args, "d", ["--delete"]) || refs.some((ref) => ref?.startsWith(":"))) {
      return "it deletes a branch or tag for everybody";
    }
    return refs.some((ref) => ref?.startsWith("+"))
      ? "a forced push replaces commits that others may have"
      : undefined;
  },
  reset: (args) =>
    hasOption(args, "", ["--hard", "--merge"])
      ? "git reset --hard throws away what is in no commit yet"
      : undefined,
  "filter-branch": () => "git filter-branch rewrites the history",
  "filter-repo": () => "git filter-repo rewrites the history",
  rebase: (args) => (hasOption(args, "", ["--root"]) ? "it rewrites the whole history" : undefined),
  reflog: ([what]) =>
    what === "expire" || what === "delete"
      ? "without the reflog lost commits can't be found again"
      : undefined,
  gc: (args) =>
    args.some((arg) => /^--prune=(?:now|all)$/u.test(arg ?? ""))
      ? "git gc --prune=now deletes commits that no branch holds"
      : undefined,
  prune: () => "git prune deletes commits that no branch holds",
  "update-ref": (args) =>
    hasOption(args, "d", ["--stdin"]) ? "git update-ref -d takes a branch away" : undefined,
  branch: (args) =>
    hasOption(args, "D") ||
    (hasOption(args, "d", ["--delete"]) && hasOption(args, "f", ["--force"]))
      ? "git branch -D deletes commits that are nowhere else"
      : undefined,
  stash: ([what]) =>
    what === "drop" || what === "clear"
      ? `git stash ${what} throws away work that is in no commit`
      : undefined,
  checkout: (args) =>
    hasOption(args, "f", ["--force"]) || isEverything(args)
      ? "git checkout throws away what is in no commit yet"
      : undefined,
  restore: (args) =>
    isEverything(args) &&
    !(hasOption(args, "S", ["--staged"]) && !hasOption(args, "W", ["--worktree"]))
      ? "git restore throws away what is in no commit yet"
      : undefined,
  switch: (args) =>
    hasOption(args, "f", ["--force", "--discard-changes"])
      ? "git switch throws away what is in no commit yet"
      : undefined,
  worktree: ([what, ...args]) =>
    what === "remove" && hasOption(args, "f", ["--force"])
      ? "it deletes a working tree with what is in no commit yet"
      : undefined,
};

function isEverything(args: readonly ReadWord[]): boolean {
  return operandsOf(args).some(
    (arg) => arg !== undefined && /^(?:\.\/?|:\/|\*|:\(top\))$/u.test(arg),
  );
}

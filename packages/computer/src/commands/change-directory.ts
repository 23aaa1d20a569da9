import type { ReadWord } from "@haft/core";
import { resolvePath } from "../paths/resolve-path.ts";
import type { BareCommand } from "./bare-command.ts";
import { type Outcome, stays } from "./directory.ts";
import { judgeTarget } from "./judge-target.ts";
import type { ReadingDraft } from "./reading-draft.ts";

/** Where `cd` and similar commands lead. */
export interface DirectoryChange {
  readonly outcome: Outcome;
  /** Why it is not certain. */
  readonly doubt?: string;
}

/** Follows a change of the working directory. */
export function changeDirectory(bare: BareCommand, draft: ReadingDraft): DirectoryChange {
  const target = targetOf(bare);
  if (target === undefined) {
    return {
      outcome: stays(undefined),
      doubt: "the directory that it changes to is not known in advance",
    };
  }
  const doubt = judgeTarget(target, undefined, draft);
  // A change that can't fail needs no check.
  const isSure = draft.disk.isDirectory(target) && !draft.mayHaveChanged();
  return {
    outcome: { succeeded: target, failed: isSure ? target : bare.directory },
    ...(doubt !== undefined && { doubt }),
  };
}

function targetOf({ words, directory }: BareCommand): string | undefined {
  const [program, ...given] = words;
  if (program === "popd") return undefined;
  const operands = given[0] === "--" ? given.slice(1) : given;
  const [path, ...more] = operands;
  if (!isPlain(path) || more.length > 0) return undefined;
  if (directory === undefined && !path.startsWith("/")) return undefined;
  // The shell resolves `..` textually, unlike the kernel.
  return resolvePath(path.startsWith("/") ? path : `./${path}`, {
    base: directory ?? "/",
    home: undefined,
  });
}

// Options, the previous directory, and entries of the directory stack.
function isPlain(path: ReadWord): path is string {
  return path !== undefined && /^[^-+]/u.test(path) && !path.includes("\0");
}

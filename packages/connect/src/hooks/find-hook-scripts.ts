import { statSync } from "node:fs";
import { resolve } from "node:path";
import { isInside } from "@haft/contract/internal";
import type { HookHandler } from "./hook-file.ts";

const variables = /\$\{?(?:CLAUDE_PROJECT_DIR|GEMINI_PROJECT_DIR|GEMINI_CWD|PWD)\}?/gu;
const topLevel = /\$\(git rev-parse --show-toplevel\)/gu;

/**
 * Finds the files of the workspace that a hook's command names. An agent can change them, and hooks run
 * outside of the sandbox, so each needs the trust that the hook file needs.
 */
export function findHookScripts(
  { command, args = [] }: Pick<HookHandler, "command" | "args">,
  roots: readonly string[],
): readonly string[] {
  const [root = "/"] = roots;
  const line = command.replaceAll(topLevel, "$PWD").replaceAll(/["'`]/gu, "");
  const words = [...line.split(/[\s;|&()<>=]+/u), ...args];
  const paths = words
    .filter((word) => word !== "")
    .map((word) =>
      resolve(
        root,
        word.replaceAll(variables, () => root),
      ),
    );
  return [...new Set(paths)].filter(
    (path) => roots.some((one) => isInside(one, path)) && isFile(path),
  );
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

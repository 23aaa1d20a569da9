import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { DiskComputer } from "@haft/computer";
import { isInside } from "@haft/contract/internal";
import type { HookHandler } from "./hook-file.ts";

const projectVariables = /\$\{?(?:CLAUDE_PROJECT_DIR|GEMINI_PROJECT_DIR|GEMINI_CWD|PWD)\}?/gu;
const homeVariables = /^~(?=\/)|\$\{?HOME\}?/gu;
const topLevel = /\$\(git rev-parse --show-toplevel\)/gu;

/**
 * Finds the files of the workspace that a hook's command names, also those that were trusted and are
 * gone. An agent can change them, and hooks run outside of the sandbox, so each needs the trust that the
 * hook file needs.
 */
export function findHookScripts(
  { command, args = [] }: Pick<HookHandler, "command" | "args">,
  { roots, home, trust }: Pick<DiskComputer, "roots" | "home" | "trust">,
): readonly string[] {
  const [root = "/"] = roots;
  const line = command.replaceAll(topLevel, "$PWD").replaceAll(/["'`]/gu, "");
  const words = [...line.split(/[\s;|&()<>=]+/u), ...args];
  const paths = words
    .filter((word) => word !== "")
    .map((word) => {
      const own = word.replaceAll(projectVariables, () => root);
      return resolve(
        root,
        own.replaceAll(homeVariables, () => home ?? "~"),
      );
    });
  const inside = [...new Set(paths)].filter((path) => roots.some((one) => isInside(one, path)));
  if (inside.length === 0) return [];
  const known = new Set(
    trust.list().flatMap(({ kind, path }) => (kind === "hook script" ? path : [])),
  );
  return inside.filter((path) => known.has(path) || isFile(path));
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

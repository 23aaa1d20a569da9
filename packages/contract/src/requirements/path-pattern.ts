import { expandBraces } from "./expand-braces.ts";
import { expandVariables } from "./expand-variables.ts";
import { escapeGlob } from "./glob-pattern.ts";
import type { PathPattern, Variables } from "./requirement-set.ts";

/**
 * Returns the absolute globs of a path pattern: variables are expanded to literal text, and relative
 * patterns start at each workspace root. Throws a `TypeError` for patterns that can only be mistakes.
 */
export function anchorPathPattern(pattern: PathPattern, variables: Variables): string[] {
  refuseRelativeVariable(pattern, variables);
  return expandVariables(pattern, variables, escapeGlob)
    .flatMap(expandBraces)
    .flatMap((plain) => {
      refuseUnclear(plain, pattern);
      if (plain.startsWith("/")) return [plain];
      return (variables.workspace ?? []).map((root) => `${escapeGlob(root)}/${plain}`);
    })
    .map(normalizePattern);
}

function refuseUnclear(plain: string, pattern: PathPattern): void {
  const complain = (fault: string): never => {
    throw new TypeError(`Path pattern ${JSON.stringify(pattern)} ${fault}`);
  };
  if (plain === "") complain("is empty, or has an empty alternative.");
  if (plain.startsWith("!")) {
    complain("starts with !, but patterns can't exclude. Write \\! for a name that starts with !.");
  }
  if (plain === "~" || plain.startsWith("~/")) {
    complain("starts with ~. Use a variable such as {user-data}, or an absolute path.");
  }
  if (plain.split("/").includes("..")) {
    complain('contains "..". Write the resolved path instead.');
  }
}

function refuseRelativeVariable(pattern: PathPattern, variables: Variables): void {
  const name = /^\{([^{},\\]*)\}/u.exec(pattern)?.[1];
  if (name === undefined || !Object.hasOwn(variables, name)) return;
  // An empty value would turn `{workspace}/**` into the whole disk.
  const relative = variables[name]?.find((value) => !value.startsWith("/"));
  if (relative === undefined) return;
  throw new TypeError(
    `Path pattern ${JSON.stringify(pattern)} starts with the variable {${name}}, whose value ${JSON.stringify(relative)} is not an absolute path.`,
  );
}

function normalizePattern(pattern: string): string {
  const plain = pattern.replace(/\/(?:\.?\/)+/gu, "/").replace(/\/\.?$/u, "");
  return plain === "" ? "/" : plain;
}

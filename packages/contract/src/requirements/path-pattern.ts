import { expandBraces } from "./expand-braces.ts";
import { expandVariables } from "./expand-variables.ts";
import { escapeGlob } from "./glob-pattern.ts";
import type { PathPattern, Variables } from "./requirement-set.ts";

/**
 * The absolute globs that a path pattern stands for: variables expanded to literal text, relative
 * patterns put below each workspace root. What can only be a mistake is a `TypeError`.
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
    complain("starts with !, but a pattern can only add. Write \\! for a name that starts so.");
  }
  if (plain === "~" || plain.startsWith("~/")) {
    complain("starts with ~. Use a variable such as {user-data}, or an absolute path.");
  }
  if (plain.split("/").includes("..")) {
    complain('has a component "..". Say where it leads instead.');
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

import { matchesGlob } from "node:path";
import type { HookFormatName } from "./hook-file.ts";

/** Tells whether a matcher selects one of these names. */
export function isMatch(
  matcher: string | undefined,
  names: readonly string[],
  format: HookFormatName,
): boolean {
  const isSelected = compileMatcher(matcher ?? "", format);
  return isSelected === undefined || names.some(isSelected);
}

/**
 * Compiles a matcher as its agent does: plain names are compared as a whole, everything else is a regular
 * expression that may match anywhere. Returns `undefined` for a matcher that selects everything. Throws
 * if it is not valid.
 */
export function compileMatcher(
  matcher: string,
  format: HookFormatName,
): ((name: string) => boolean) | undefined {
  if (matcher === "" || matcher === "*") return undefined;
  if (plainNames[format]?.test(matcher)) {
    const names = matcher.split(format === "claude" ? /[|,]/u : "|").map((name) => name.trim());
    return (name) => names.includes(name);
  }
  const expression = new RegExp(matcher);
  return (name) => expression.test(name);
}

const plainNames: Readonly<Record<HookFormatName, RegExp | undefined>> = {
  claude: /^[A-Za-z0-9_|, -]+$/u,
  codex: /^[A-Za-z0-9_|]+$/u,
  gemini: undefined,
};

/**
 * Tells whether a call matches the `if` of a hook of Claude Code, which is a permission rule such as
 * `Bash(git *)` or `Edit(src/**)`. Where it is not understood, the hook runs.
 */
export function fitsCondition(condition: string, { names, input, root }: ConditionedCall): boolean {
  const [, name, pattern] = /^\s*([\w-]+)\s*(?:\((.*)\))?\s*$/su.exec(condition) ?? [];
  if (name === undefined) return true;
  if (!names.includes(name)) return false;
  if (pattern === undefined || pattern === "" || pattern === "*") return true;
  const { command, file_path: file } = input;
  if (typeof command === "string") {
    const parts = [command, ...command.split(/&&|\|\||[;|&\n]/u)];
    return parts.some((part) => toWildcard(pattern).test(part.trim()));
  }
  if (typeof file === "string") {
    const anywhere = pattern.includes("/") ? [] : [`**/${pattern}`];
    const absolute = pattern.startsWith("//")
      ? pattern.slice(1)
      : `${root}/${pattern.replace(/^\.?\//u, "")}`;
    return [absolute, ...anywhere].some((glob) => matchesGlob(file, glob));
  }
  return true;
}

/** A call under the names that the hook knows. */
interface ConditionedCall {
  readonly names: readonly string[];
  readonly input: Readonly<Record<string, unknown>>;
  readonly root: string;
}

// `git:*` and `git *` also match `git` alone.
function toWildcard(pattern: string): RegExp {
  const [, start] = /^(.*?)(?::| )\*$/su.exec(pattern) ?? [];
  const parts = (start ?? pattern).split("*").map(escapeText);
  return new RegExp(`^${parts.join(".*")}${start === undefined ? "" : "(?: .*)?"}$`, "su");
}

function escapeText(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/gu, String.raw`\$&`);
}

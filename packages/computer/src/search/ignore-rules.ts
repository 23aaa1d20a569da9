import { toByteText } from "./byte-text.ts";
import { type IgnoreToken, parseIgnoreGlob } from "./ignore-glob.ts";
import { compileMachine } from "./ignore-machine.ts";
import { type NameRule, NameRules } from "./name-rules.ts";

/** One compiled ignore file. Directories are relative to the file's own. */
export interface IgnoreRules {
  /** Its rules about the names in a directory; `undefined` if there are none. */
  at(directory: string): NameRules | undefined;
}

/**
 * Compiles an ignore file as ripgrep reads it. Hand-written, because a listing has two microseconds per
 * file: general libraries match every path against every pattern. Here a rule is split into the
 * directories it applies to, checked once per directory, and the names it applies to, most of which
 * are found in a map. `undefined` if the file has no rules.
 */
export function compileIgnoreRules(text: string): IgnoreRules | undefined {
  const rules = text
    .replace(/^\uFEFF+/u, "")
    .split("\n")
    .map((line, index) => compileLine(line.replace(/\r$/u, ""), index))
    .filter((rule) => rule !== undefined);
  if (rules.length === 0) return undefined;
  const everywhere = rules.filter((rule) => rule.place === "everywhere");
  const general = everywhere.length === 0 ? undefined : new NameRules(everywhere);
  if (everywhere.length === rules.length) return { at: () => general };
  return {
    at: (directory) => {
      const active = rules.filter(({ place }) => place === "everywhere" || place(directory));
      if (active.length === everywhere.length) return general;
      return new NameRules(active.map((rule) => rule.inDirectory?.(directory) ?? rule));
    },
  };
}

interface Rule extends NameRule {
  /** The directories to which it applies. */
  readonly place: "everywhere" | ((directory: string) => boolean);
  /** For rules that need the whole path of a name. */
  inDirectory?(directory: string): NameRule;
}

// Rust's definition of white space, which differs slightly from JavaScript's.
const space = /[\t-\r \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]/u;

// From the end: an expression would start at each of many spaces inside the line.
function withoutSpaceAtEnd(line: string): string {
  let end = line.length;
  while (end > 0 && space.test(line[end - 1] as string)) end--;
  return line.slice(0, end);
}

function compileLine(line: string, index: number): Rule | undefined {
  if (line.startsWith("#")) return undefined;
  let pattern = line.endsWith("\\ ") ? line : withoutSpaceAtEnd(line);
  if (pattern === "") return undefined;
  let negated = false;
  let anchored = false;
  if (pattern.startsWith("\\!") || pattern.startsWith("\\#")) {
    pattern = pattern.slice(1);
  } else {
    negated = pattern.startsWith("!");
    if (negated) pattern = pattern.slice(1);
    anchored = pattern.startsWith("/");
    if (anchored) pattern = pattern.slice(1);
  }
  const directoriesOnly = pattern.endsWith("/");
  if (directoriesOnly) pattern = pattern.slice(0, pattern.endsWith("\\/") ? -2 : -1);
  const startsDeep = pattern === "**" || pattern.startsWith("**/");
  if (!anchored && !pattern.includes("/") && !startsDeep) pattern = `**/${pattern}`;
  // What lies in a directory, but not the directory.
  if (pattern.endsWith("/**")) pattern = `${pattern}/*`;
  const tokens = parseIgnoreGlob(pattern);
  if (tokens === undefined) return undefined;
  return compileRule(tokens, { index, negated, directoriesOnly });
}

type RuleHead = Pick<Rule, "index" | "negated" | "directoriesOnly">;

function compileRule(tokens: readonly IgnoreToken[], head: RuleHead): Rule {
  const [first] = tokens;
  if (tokens.length === 1 && first?.type === "head") {
    return { ...head, place: "everywhere", name: [{ type: "star" }] };
  }
  const split = tokens.findLastIndex(separates);
  const name = tokens.slice(split + 1);
  if (name.some(mayCross) || tokens.slice(0, split).some(({ type }) => type === "tail")) {
    return wholePathRule(tokens, head);
  }
  const separator = tokens[split];
  if (separator === undefined) return { ...head, place: (directory) => directory === "", name };
  if (split === 0 && separator.type === "head") return { ...head, place: "everywhere", name };
  return {
    ...head,
    place: compilePlace(tokens.slice(0, split), separator.type === "middle"),
    name,
  };
}

/** Decides about directories by the part before the last slash of a pattern. */
function compilePlace(
  tokens: readonly IgnoreToken[],
  isDeep: boolean,
): (directory: string) => boolean {
  const fits = compileMachine(tokens);
  const fitsBelow = compileMachine([...tokens, { type: "tail" }]);
  const open = tokens.findIndex(({ type }) => type !== "character");
  const start = tokens
    .slice(0, open === -1 ? tokens.length : open)
    .map((token) => (token.type === "character" ? token.character : ""))
    .join("");
  const isFlat = !tokens.some((token) => mayCross(token) || isDeepToken(token));
  const slashes = isFlat && !isDeep ? tokens.filter(separates).length : undefined;
  return (directory) => {
    // Quick checks that rule out most directories.
    if (directory === "" || !directory.startsWith(start)) return false;
    if (slashes !== undefined && countSlashes(directory) !== slashes) return false;
    const bytes = toByteText(directory);
    return fits(bytes) || (isDeep && fitsBelow(bytes));
  };
}

function isDeepToken({ type }: IgnoreToken): boolean {
  return type === "head" || type === "middle";
}

function countSlashes(path: string): number {
  let count = 0;
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) count++;
  return count;
}

function wholePathRule(tokens: readonly IgnoreToken[], head: RuleHead): Rule {
  const fits = compileMachine(tokens);
  return {
    ...head,
    place: () => true,
    name: [],
    inDirectory: (directory) => {
      const above = directory === "" ? "" : `${toByteText(directory)}/`;
      return { ...head, name: [], fits: (bytes) => fits(above + bytes) };
    },
  };
}

function separates(token: IgnoreToken): boolean {
  return (
    token.type === "head" ||
    token.type === "middle" ||
    (token.type === "character" && token.character === "/")
  );
}

// Whether a token in the name may match a slash, so that the whole path is needed.
function mayCross(token: IgnoreToken): boolean {
  switch (token.type) {
    case "class":
      return token.negated || token.ranges.some(([from, to]) => from <= "/" && "/" <= to);
    case "choice":
      return token.branches.some((branch) =>
        branch.some((inner) => separates(inner) || mayCross(inner)),
      );
    default:
      return token.type === "tail";
  }
}

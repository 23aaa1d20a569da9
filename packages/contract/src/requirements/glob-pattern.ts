/** Decides whether an absolute, normalised path fits. */
export type PathMatcher = (path: string) => boolean;

/**
 * Compiles a glob: `*` and `?` stay inside one path component, `**` crosses them, `[a-z]` is a
 * class, `{a,b}` are alternatives, a backslash takes the next character as it is. A pattern that
 * ends in `/**` also fits the directory itself.
 */
export function compileGlob(pattern: string): PathMatcher {
  const literalTree = /^([^*?[\]{}\\]*)\/\*\*$/.exec(pattern);
  if (literalTree) return treeMatcher(literalTree[1] ?? "");
  if (!/[*?[{\\]/.test(pattern)) return (path) => path === pattern;
  const expression = new RegExp(`^${toExpression(pattern)}$`, "su");
  return (path) => expression.test(path);
}

/** The characters of a pattern that stand for themselves: the more, the more specific it is. */
export function countLiterals(pattern: string): number {
  return pattern.replace(/\{[^{}]*\}|\[[^\]]*\]|[*?]/gu, "").length;
}

function treeMatcher(root: string): PathMatcher {
  if (root === "") return (path) => path.startsWith("/");
  const inside = `${root}/`;
  return (path) => path.startsWith(inside) || path === root;
}

function toExpression(pattern: string): string {
  let expression = "";
  let depth = 0;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] as string;
    if (character === "*") {
      if (pattern[at + 1] !== "*") {
        expression += "[^/]*";
        continue;
      }
      while (pattern[at + 1] === "*") at++;
      if (expression.endsWith("/") && at === pattern.length - 1) {
        expression = `${expression.slice(0, -1)}(?:/.*)?`;
      } else if (pattern[at + 1] === "/" && (expression === "" || expression.endsWith("/"))) {
        expression += "(?:[^/]+/)*";
        at++;
      } else {
        expression += ".*";
      }
    } else if (character === "?") {
      expression += "[^/]";
    } else if (character === "[") {
      const end = pattern.indexOf("]", at + 2);
      if (end === -1) {
        expression += "\\[";
        continue;
      }
      const body = pattern.slice(at + 1, end);
      const negated = body.startsWith("!") || body.startsWith("^");
      const inner = (negated ? body.slice(1) : body).replace(/[\\\]^[&~|]/gu, "\\$&");
      expression += negated ? `(?!/)[^${inner}]` : `(?!/)[${inner}]`;
      at = end;
    } else if (character === "{") {
      if (!pattern.slice(at).includes("}")) {
        expression += "\\{";
        continue;
      }
      depth++;
      expression += "(?:";
    } else if (character === "}" && depth > 0) {
      depth--;
      expression += ")";
    } else if (character === "," && depth > 0) {
      expression += "|";
    } else if (character === "\\" && at + 1 < pattern.length) {
      at++;
      expression += escapeLiteral(pattern[at] as string);
    } else {
      expression += escapeLiteral(character);
    }
  }
  return depth === 0 ? expression : `${expression}${")".repeat(depth)}`;
}

function escapeLiteral(character: string): string {
  return /[$()*+./?[\\\]^{|}]/u.test(character) ? `\\${character}` : character;
}

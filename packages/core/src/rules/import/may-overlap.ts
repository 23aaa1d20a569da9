import type { Rule } from "../rule.ts";

/** Tells whether both rules could match the same call. Returns true in doubt. */
export function mayOverlap(a: Rule, b: Rule): boolean {
  if (!sharesTools(a.permission, b.permission)) return false;
  if (isAnything(a.pattern) || isAnything(b.pattern)) return true;
  if (a.permission === "bash" && b.permission === "bash") return sharesCommands(a, b);
  return sharesPaths(a.pattern, b.pattern);
}

/** Returns how specific a permission is: 0 for all, 1 for a capability or an MCP server, 2 for one tool. */
export function rankOf(permission: string): number {
  if (permission === "*") return 0;
  return permission.includes(".") || /^mcp:.*:\*$/u.test(permission) ? 1 : 2;
}

const tools: Readonly<Record<string, RegExp>> = {
  "fs.read": /^(?:read|grep|glob)$/u,
  "fs.write": /^(?:edit|multi_edit|apply_patch|write|delete_file|undo_edit|format_file)$/u,
};

function sharesTools(a: string, b: string): boolean {
  if (a === b || a === "*" || b === "*") return true;
  if (tools[a]?.test(b) || tools[b]?.test(a)) return true;
  const [server, other] = [a, b].map((one) => /^mcp:(.*):(.*)$/u.exec(one));
  if (!server || !other || server[1] !== other[1]) return false;
  return server[2] === "*" || other[2] === "*";
}

function isAnything(pattern: string): boolean {
  return pattern === "*" || pattern === "**";
}

// Words are held against each other as far as both patterns go.
function sharesCommands(a: Rule, b: Rule): boolean {
  const others = b.pattern.split(/\s+/u);
  return a.pattern.split(/\s+/u).every((word, index) => {
    const other = others[index];
    if (other === undefined) return true;
    return index === 0 ? sharesWords(baseName(word), baseName(other)) : sharesWords(word, other);
  });
}

// Words that begin or end differently are different, whatever their stars stand for.
function sharesWords(a: string, b: string): boolean {
  if (/["'\\]/u.test(a) || /["'\\]/u.test(b)) return true;
  const [parts, others] = [a.split("*"), b.split("*")];
  const [head = "", other = ""] = [parts[0], others[0]];
  const [tail = "", end = ""] = [parts.at(-1), others.at(-1)];
  const startsAlike = head.startsWith(other) || other.startsWith(head);
  const endsAlike = tail.endsWith(end) || end.endsWith(tail);
  if (parts.length === 1 && others.length === 1) return a === b;
  return startsAlike && endsAlike;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

// Paths of which both spell out different beginnings are different; so are different hosts.
function sharesPaths(a: string, b: string): boolean {
  if (/^[~/]/u.test(a) !== /^[~/]/u.test(b)) return true;
  const [head, other] = [a, b].map((pattern) => pattern.replace(/[*?[\\{].*$/su, ""));
  if (head === undefined || other === undefined) return true;
  const isWhole = head === a && other === b;
  return isWhole ? a === b : head.startsWith(other) || other.startsWith(head);
}

const longest = 256;

/**
 * Whether a regular expression of a server's can be tried on texts of the same server's without
 * fear of it never ending: it compiles, and nothing that repeats is repeated itself.
 */
export function isSafePattern(pattern: string): boolean {
  if (pattern.length > longest || /\\[1-9k]/u.test(pattern)) return false;
  try {
    new RegExp(pattern, "u");
  } catch {
    return false;
  }
  return !repeatsRepetition(pattern);
}

interface Group {
  repeats: boolean;
  alternates: boolean;
}

// Alternatives that are repeated count as well: they may overlap.
function repeatsRepetition(pattern: string): boolean {
  const open: Group[] = [{ repeats: false, alternates: false }];
  let closed: Group | undefined;
  let unbounded = 0;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] as string;
    const inside = open.at(-1) as Group;
    if (character === "\\") {
      at++;
      closed = undefined;
    } else if (character === "[") {
      at = endOfClass(pattern, at);
      closed = undefined;
    } else if (character === "(") {
      open.push({ repeats: false, alternates: false });
      closed = undefined;
    } else if (character === ")") {
      closed = open.pop();
      const outer = open.at(-1);
      if (closed?.repeats && outer !== undefined) outer.repeats = true;
      if (closed?.alternates && outer !== undefined) outer.alternates = true;
    } else if (character === "|") {
      inside.alternates = true;
      closed = undefined;
    } else if (isRepetition(pattern, at)) {
      if (closed?.repeats || closed?.alternates) return true;
      inside.repeats = true;
      if (++unbounded > mostRepetitions) return true;
      closed = undefined;
    } else closed = undefined;
  }
  return false;
}

// Each repetition may multiply the work by the length of the text.
const mostRepetitions = 4;

function isRepetition(pattern: string, at: number): boolean {
  const character = pattern[at];
  if (character === "*" || character === "+") return true;
  if (character !== "{") return false;
  const [, least = "", comma, most = ""] = /^\{(\d+)(,?)(\d*)\}/u.exec(pattern.slice(at)) ?? [];
  return comma === "," ? most === "" || Number(most) > 1000 : Number(least) > 1000;
}

function endOfClass(pattern: string, start: number): number {
  for (let at = start + 1; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "]") return at;
  }
  return pattern.length;
}

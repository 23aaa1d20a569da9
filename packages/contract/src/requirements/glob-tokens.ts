/** A token of a glob without alternatives. */
export type GlobToken =
  /** Exactly this text. */
  | { readonly type: "text"; readonly text: string }
  /** One character other than a slash. */
  | { readonly type: "one"; fits(codePoint: number): boolean }
  /** Any characters of one component. */
  | { readonly type: "star" }
  /** Any characters. */
  | { readonly type: "deep" }
  /** Any number of whole components, each with its slash. */
  | { readonly type: "directories" }
  /** The end, or a slash and anything. */
  | { readonly type: "below" };

/** Tokenizes a glob without alternatives. Braces and commas are literal. */
export function tokenizeGlob(pattern: string): GlobToken[] {
  // Several `**` in a row mean the same as one.
  const source = pattern.replace(/(^|\/)\*\*(?:\/\*\*)+(?=\/|$)/gu, "$1**");
  const tokens: GlobToken[] = [];
  let text = "";
  const endText = (): void => {
    if (text !== "") tokens.push({ type: "text", text });
    text = "";
  };
  for (let at = 0; at < source.length; at++) {
    const character = source[at] as string;
    const classEnd = character === "[" ? findClassEnd(source, at) : -1;
    if (character === "*" && source[at + 1] === "*") {
      while (source[at + 1] === "*") at++;
      if (text.endsWith("/") && at === source.length - 1) {
        text = text.slice(0, -1);
        endText();
        tokens.push({ type: "below" });
      } else if (
        source[at + 1] === "/" &&
        (text.endsWith("/") || (text === "" && tokens.length === 0))
      ) {
        endText();
        tokens.push({ type: "directories" });
        at++;
      } else {
        endText();
        tokens.push({ type: "deep" });
      }
    } else if (character === "*") {
      endText();
      tokens.push({ type: "star" });
    } else if (character === "?") {
      endText();
      tokens.push({ type: "one", fits: () => true });
    } else if (classEnd !== -1) {
      endText();
      tokens.push({ type: "one", fits: parseClass(source.slice(at + 1, classEnd)) });
      at = classEnd;
    } else {
      if (character === "\\" && at + 1 < source.length) at++;
      text += source[at];
    }
  }
  endText();
  return tokens;
}

/** Returns the end of the class that starts at `opening`, or -1 if the bracket is a literal. */
export function findClassEnd(pattern: string, opening: number): number {
  let at = opening + 1;
  if (pattern[at] === "!" || pattern[at] === "^") at++;
  // A closing bracket in the first position is a member of the class.
  if (pattern[at] === "]") at++;
  for (; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "]") return at;
  }
  return -1;
}

function parseClass(body: string): (codePoint: number) => boolean {
  const negated = body.startsWith("!") || body.startsWith("^");
  const members = Array.from(
    (negated ? body.slice(1) : body).matchAll(/\\?(.)/gsu),
    ([whole, character]) => ({
      isHyphen: whole === "-",
      point: (character as string).codePointAt(0) as number,
    }),
  );
  const ranges: { from: number; to: number }[] = [];
  for (let at = 0; at < members.length; at++) {
    const from = members[at]?.point as number;
    const isRange = members[at + 1]?.isHyphen === true && at + 2 < members.length;
    const to = isRange ? (members[at + 2]?.point as number) : from;
    if (to < from) throw new TypeError(`The class [${body}] of a pattern has a reversed range.`);
    ranges.push({ from, to });
    if (isRange) at += 2;
  }
  return (point) => ranges.some(({ from, to }) => from <= point && point <= to) !== negated;
}

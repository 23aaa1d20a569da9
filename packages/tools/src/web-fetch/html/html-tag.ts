/** A tag as it stands in a page. */
export interface HtmlTag {
  /** In lower case. */
  readonly name: string;
  readonly isEnd: boolean;
  /** By name in lower case, values as they are written, the first of each; those that are too long are left out. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Where what follows begins. */
  readonly end: number;
}

/** Reads the tag that begins with the bracket at this place; `undefined` if none does. */
export function readHtmlTag(source: string, at: number): HtmlTag | undefined {
  namePattern.lastIndex = at;
  const [start, slash = "", written = ""] = namePattern.exec(source) ?? [];
  if (start === undefined) return undefined;
  const attributes = new Map<string, string>();
  let end = at + start.length;
  for (;;) {
    attributePattern.lastIndex = end;
    const found = attributePattern.exec(source);
    if (found === null) break;
    const [all, name = "", double, single, bare] = found;
    end += all.length;
    const value = double ?? single ?? bare ?? "";
    if (value.length <= longestValue && name.length <= longestName) {
      const key = name.toLowerCase();
      if (attributes.size < mostAttributes && !attributes.has(key)) attributes.set(key, value);
    }
  }
  const close = source.indexOf(">", end);
  const name = written.toLowerCase();
  return {
    name: isPlainName.test(name) ? name : "span",
    isEnd: slash === "/",
    attributes,
    end: close < 0 ? source.length : close + 1,
  };
}

/** Where what follows begins if this bracket is of a comment or a declaration; else the place after it. */
export function skipMarkup(source: string, at: number): number {
  const end = source.startsWith("<!--", at)
    ? endOf(source, "-->", at + 2)
    : /[!?/]/u.test(source[at + 1] ?? "")
      ? endOf(source, ">", at)
      : at + 1;
  return end;
}

const longestValue = 2_000;
const longestName = 40;
const mostAttributes = 40;

const namePattern = /<(\/?)([a-z][^\s/>]*)/iuy;
const attributePattern =
  /[\s/]*([^\s"'>/=][^\s>/=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/uy;
const isPlainName = /^[a-z][a-z0-9-]{0,30}$/u;

function endOf(source: string, mark: string, from: number): number {
  const found = source.indexOf(mark, from);
  return found < 0 ? source.length : found + mark.length;
}

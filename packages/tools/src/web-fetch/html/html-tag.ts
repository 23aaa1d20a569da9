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
  startPattern.lastIndex = at;
  const [start, slash] = startPattern.exec(source) ?? [];
  if (start === undefined) return undefined;
  const attributes = new Map<string, string>();
  let end = find(nameEnd, source, at + start.length);
  const written = source.slice(at + start.length - 1, end);
  for (;;) {
    const from = find(notBetween, source, end);
    if (from === source.length || noAttribute.has(source[from] as string)) break;
    end = find(attributeEnd, source, from + 1);
    const name = source.slice(from, end);
    const equals = find(notBlank, source, end);
    const valueAt = source[equals] === "=" ? find(notBlank, source, equals + 1) : source.length;
    let value = "";
    if (valueAt < source.length && source[valueAt] !== ">") {
      [value, end] = readValue(source, valueAt);
    }
    if (value.length <= maxValueLength && name.length <= maxNameLength) {
      const key = name.toLowerCase();
      if (attributes.size < maxAttributes && !attributes.has(key)) attributes.set(key, value);
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

const maxValueLength = 2_000;
const maxNameLength = 40;
const maxAttributes = 40;

const startPattern = /<(\/?)[a-z]/iy;
const isPlainName = /^[a-z][a-z0-9-]{0,30}$/u;
const noAttribute: ReadonlySet<string> = new Set(['"', "'", ">", "="]);

// Ends are searched for. A pattern that matches everything before one overflows the stack if that is
// millions of characters long.
const nameEnd = /[\s/>]/gu;
const attributeEnd = /[\s>/=]/gu;
const valueEnd = /[\s>]/gu;
const notBetween = /[^\s/]/gu;
const notBlank = /\S/gu;

/** The place of the first character that a pattern matches, or the end. */
function find(pattern: RegExp, source: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(source)?.index ?? source.length;
}

/** Returns the value that begins here, and the place after it. */
function readValue(source: string, from: number): [value: string, end: number] {
  const quote = source[from];
  const close = quote === '"' || quote === "'" ? source.indexOf(quote, from + 1) : -1;
  if (close >= 0) return [source.slice(from + 1, close), close + 1];
  const end = find(valueEnd, source, from);
  return [source.slice(from, end), end];
}

function endOf(source: string, mark: string, from: number): number {
  const found = source.indexOf(mark, from);
  return found < 0 ? source.length : found + mark.length;
}

import type { HtmlTag } from "./html-tag.ts";

const list = (names: string): ReadonlySet<string> => new Set(names.split(" "));

const voids = list("area base br col embed hr img input link meta param source track wbr");
const raw = list("iframe noembed noframes script style textarea title xmp");
const leftOut = list("audio button canvas datalist map object select svg template video");

// Their own nesting costs more than that of others when they are written as text.
const indenting = list("blockquote dd ol ul");

const blocks = list(
  "address article aside blockquote details div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul",
);

const closedBy = new Map([
  ["dd", list("dd dt")],
  ["dt", list("dd dt")],
  ["li", list("li")],
  ["option", list("option")],
  ["p", blocks],
  ["tbody", list("tbody tfoot")],
  ["td", list("tbody td tfoot th tr")],
  ["th", list("tbody td tfoot th tr")],
  ["thead", list("tbody tfoot")],
  ["tr", list("tbody tfoot tr")],
]);

const closing = new Set([...closedBy.values()].flatMap((names) => [...names]));

const blockScope = list(
  "article aside blockquote dd details div dl dt footer form header li main nav ol section table td th ul",
);

const scopes = new Map([
  ["dd", list("dl")],
  ["dt", list("dl")],
  ["li", list("ol ul")],
  ...["tbody", "td", "tfoot", "th", "tr"].map((name) => [name, list("table")] as const),
]);

/** Has no end tag, and nothing inside. */
export const isVoid = (name: string): boolean => voids.has(name);

/** Has no tags inside, whatever looks like one. */
export const isRawText = (name: string): boolean => raw.has(name);

/** Shows nothing that could be read. */
export const isLeftOut = (name: string): boolean => leftOut.has(name);

/** Indents what is inside. */
export const isIndenting = (name: string): boolean => indenting.has(name);

/** Tells whether an element that is open ends where another begins, though nothing says so. */
export const isClosedBy = (open: string, next: string): boolean =>
  closedBy.get(open)?.has(next) ?? false;

/** Tells whether anything can end because an element begins. */
export const isClosing = (next: string): boolean => closing.has(next);

/** Tells whether such an end is not looked for beyond an element. */
export const isScopeOf = (element: string, next: string): boolean =>
  (scopes.get(next) ?? blockScope).has(element);

/** Tells whether an element says that it is not to be seen. */
export function isHidden({ name, attributes }: HtmlTag): boolean {
  if (attributes.has("hidden") || attributes.get("aria-hidden")?.toLowerCase() === "true") {
    return !isPage(name);
  }
  if (name === "dialog") return !attributes.has("open");
  const style = attributes.get("style");
  return style !== undefined && hidingStyle.test(style) && !isPage(name);
}

// Pages hide all of themselves until a script is there, and show it then.
function isPage(name: string): boolean {
  return name === "body" || name === "html" || name === "main";
}

const hidingStyle =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:font-size|opacity)\s*:\s*0+(?:\.0+)?(?:px|em|rem|%|pt)?\s*(?:!|;|$))/iu;

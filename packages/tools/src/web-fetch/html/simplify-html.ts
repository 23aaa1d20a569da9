import { isHidden, isLeftOut, isRawText, isVoid } from "./element-kinds.ts";
import { type HtmlTag, readHtmlTag, skipMarkup } from "./html-tag.ts";
import { OpenElements } from "./open-elements.ts";

/** A page reduced to what can be shown. */
export interface SimpleHtml {
  /** Every element is closed, none is nested deeper than a parser can bear. */
  readonly html: string;
  /** How many elements it has. */
  readonly elements: number;
  /** Something at the end was left out because the page has too much of everything. */
  readonly isCut: boolean;
}

/**
 * Takes from a page what is not shown, scripts, styles, hidden elements, most attributes, and nesting
 * beyond reason, in one pass whose time is in proportion to the page. What parses the rest can then
 * be made for decent pages.
 */
export function simplifyHtml(source: string): SimpleHtml {
  const open = new OpenElements();
  let head = "";
  let at = 0;
  while (at < source.length && !open.isFull) {
    const next = source.indexOf("<", at);
    open.addText(source.slice(at, next < 0 ? source.length : next));
    if (next < 0) {
      at = source.length;
      break;
    }
    const tag = readHtmlTag(source, next);
    if (tag === undefined) {
      at = skipMarkup(source, next);
      // A bracket that begins nothing is a bracket.
      if (at === next + 1) open.addText("&lt;");
      continue;
    }
    at = tag.end;
    if (tag.isEnd) open.close(tag.name);
    else if (isRawText(tag.name)) {
      const end = findRawEnd(source, tag);
      if (tag.name === "title" && head.length < maxHeadLength && !open.isHiding) {
        head += `<title>${source.slice(at, end).replaceAll("<", "&lt;").slice(0, 1_000)}</title>`;
      }
      at = end;
    } else if (tag.name === "base") head += head.includes("<base") ? "" : toTagText(tag);
    else if (isVoid(tag.name)) addVoid(tag, open);
    else open.open(tag.name, toTagText(tag), isLeftOut(tag.name) || isHidden(tag));
  }
  const isCut = open.isFull;
  const html = `<!doctype html><html><head>${head}</head><body>${open.end()}</body></html>`;
  return { html, elements: open.elements, isCut };
}

const maxHeadLength = 5_000;

// Its end is the first that looks like one, whatever stands in between.
function findRawEnd(source: string, tag: HtmlTag): number {
  const pattern = rawEnds.get(tag.name) ?? new RegExp(`</${tag.name}(?=[\\s/>])`, "giu");
  rawEnds.set(tag.name, pattern);
  pattern.lastIndex = tag.end;
  return pattern.exec(source)?.index ?? source.length;
}

const rawEnds = new Map<string, RegExp>();

function addVoid(tag: HtmlTag, open: OpenElements): void {
  if (tag.name === "br") open.addVoid(open.isPreformatted ? "\n" : "<br>");
  else if (tag.name === "hr") open.addVoid("<hr>");
  else if (tag.name === "img" && !isHidden(tag)) open.addVoid(toTagText(tag));
}

function toTagText({ name, attributes }: HtmlTag): string {
  let text = `<${name}`;
  for (const [key, value] of attributes) {
    if (keptAttributes.has(key)) text += ` ${key}="${value.replaceAll('"', "&quot;")}"`;
  }
  return `${text}>`;
}

const keptAttributes = new Set([
  "alt",
  "class",
  "colspan",
  "href",
  "id",
  "itemprop",
  "rel",
  "role",
  "src",
  "start",
]);

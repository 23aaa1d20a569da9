import { addTableRules } from "./markdown-tables.ts";

/** Writes an element as Markdown. */
export type MarkdownWriter = (element: Element) => string;

let writer: Promise<MarkdownWriter> | undefined;

/** Loads what writes Markdown, once. */
export function createMarkdownWriter(): Promise<MarkdownWriter> {
  writer ??= load();
  return writer;
}

async function load(): Promise<MarkdownWriter> {
  const { default: TurndownService } = await import("turndown");
  const service = new TurndownService({
    headingStyle: "atx",
    hr: "---",
    bulletListMarker: "-",
    codeBlockStyle: "fenced",
    emDelimiter: "*",
  });
  // No escapes: a model reads the text, not a Markdown parser.
  service.escape = (text) => text;
  service.addRule("listing", {
    filter: "pre",
    replacement: (_, node) => writeListing(node as Element),
  });
  service.addRule("link", {
    filter: "a",
    replacement: (content, node) => writeLink(content, (node as Element).getAttribute("href")),
  });
  service.addRule("heading in one line", {
    filter: ["h1", "h2", "h3", "h4", "h5", "h6"],
    replacement: (content, node) => {
      const words = oneLine(content);
      return words === "" ? "" : `\n\n${"#".repeat(Number(node.nodeName[1]))} ${words}\n\n`;
    },
  });
  service.addRule("struck out", {
    filter: ["del", "s"],
    replacement: (content) => (content.trim() === "" ? "" : `~~${content}~~`),
  });
  service.addRule("item", {
    filter: "li",
    replacement: (content, node) => writeItem(content, node as Element),
  });
  addTableRules(service);
  return (element) => tidy(service.turndown(element as HTMLElement));
}

const counted = new WeakMap<Element, number>();

// Items come in their order, so that each need not ask for its place among all of them.
function writeItem(content: string, item: Element): string {
  const list = item.parentElement;
  const text = content.trim();
  if (list?.nodeName !== "OL") return text === "" ? "" : `${indent("- ", text)}\n`;
  const start = Number.parseInt(list.getAttribute("start") ?? "1", 10);
  const number = counted.get(list) ?? (Number.isSafeInteger(start) ? start : 1);
  counted.set(list, number + 1);
  return `${indent(`${number}. `, text)}\n`;
}

function indent(mark: string, text: string): string {
  return mark + text.replaceAll("\n", `\n${" ".repeat(mark.length)}`);
}

function writeListing(element: Element): string {
  const text = (element.textContent ?? "").replace(/^\n/u, "").trimEnd();
  if (text === "") return "";
  const longestRun = Math.max(2, ...(text.match(/`{3,}/gu) ?? []).map((run) => run.length));
  const fence = "`".repeat(longestRun + 1);
  return `\n\n${fence}${findLanguage(element)}\n${text}\n${fence}\n\n`;
}

function findLanguage(element: Element): string {
  const around = [element.querySelector("code"), element, element.parentElement];
  for (const each of around) {
    const [, name] = languageClass.exec(each?.getAttribute("class") ?? "") ?? [];
    if (name !== undefined) return name.toLowerCase();
  }
  return "";
}

const languageClass =
  /(?:^|\s)(?:lang(?:uage)?-|highlight-(?:source|text)-|brush:\s*)([a-z0-9+#-]{1,20})/iu;

function writeLink(content: string, href: string | null): string {
  const words = oneLine(content);
  // Marks beside headings that lead to themselves say nothing.
  if (words === "" || /^[#\u00b6\u{1f517}]$/u.test(words)) return "";
  return href === null
    ? words
    : `[${words}](${href.replaceAll("(", "%28").replaceAll(")", "%29")})`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}

function tidy(text: string): string {
  return text
    .split("\n")
    .map((line) => (/\S/u.test(line) ? line.trimEnd() : ""))
    .join("\n")
    .replaceAll(/\n{3,}/gu, "\n\n")
    .trim();
}

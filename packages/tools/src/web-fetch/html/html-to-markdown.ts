import type { Readability as ReadabilityClass } from "@mozilla/readability";
import { cleanWebLine } from "../clean-web-text.ts";
import { makeLinksAbsolute } from "./make-links-absolute.ts";
import { createMarkdownWriter } from "./markdown-writer.ts";
import { simplifyHtml } from "./simplify-html.ts";

/** A page as Markdown. */
export interface MarkdownPage {
  readonly title: string | undefined;
  readonly text: string;
  /** The page was too large, and its end is missing. */
  readonly isCut: boolean;
}

// Finding the article costs more than all the rest.
const maxElementsToWeigh = 10_000;

// An article is at least so long, and at least this part of the page; else the page is a list, a
// table or an application, and all of it counts.
const minCharacters = 200;
const minShare = 0.3;

/** Makes Markdown of a page: of its article if it has one, else of all that is shown. */
export async function htmlToMarkdown(source: string, url: string): Promise<MarkdownPage> {
  // Loaded when the first page comes: most programs never see one.
  const [{ parseHTML }, { Readability }, writer] = await Promise.all([
    import("linkedom/worker"),
    import("@mozilla/readability"),
    createMarkdownWriter(),
  ]);
  const { html, elements, isCut } = simplifyHtml(source);
  const parse = (): Document => {
    const { document } = parseHTML(html);
    makeLinksAbsolute(document, url);
    return document;
  };
  const document = leaveOutFrame(parse());
  const title = cleanWebLine(document.title) || cleanWebLine(textOf(document.querySelector("h1")));
  const body = textOf(document.body) === "" ? parse().body : document.body;
  const isWeighed = elements <= maxElementsToWeigh;
  // What looks for the article changes the page while it does.
  const article = isWeighed ? findArticle(leaveOutFrame(parse()), Readability) : undefined;
  const needed = Math.max(minCharacters, minShare * textOf(body).length);
  const chosen = article !== undefined && textOf(article).length >= needed ? article : body;
  return { title: title || undefined, text: writer(chosen), isCut };
}

function findArticle(
  document: Document,
  Readability: typeof ReadabilityClass,
): Element | undefined {
  const article = new Readability(document, {
    charThreshold: minCharacters,
    // They name the language of listings.
    keepClasses: true,
    serializer: (node) => node as Element,
  }).parse();
  return article?.content ?? undefined;
}

/** Takes away what stands around the content of every page of a site. */
function leaveOutFrame(document: Document): Document {
  const frame = "nav, footer, aside, [role=navigation], [role=contentinfo], [role=search]";
  for (const element of document.querySelectorAll(frame)) element.remove();
  return document;
}

function textOf(element: Element | null): string {
  return (element?.textContent ?? "").replaceAll(/\s+/gu, " ").trim();
}

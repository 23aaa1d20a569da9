import { ToolError } from "@haft/contract";
import { cleanWebLine, cleanWebText } from "./clean-web-text.ts";
import { decodePage } from "./decode-page.ts";
import { formatJson } from "./format-json.ts";
import { htmlToMarkdown } from "./html/html-to-markdown.ts";
import { findPageKind, type MediaType, readMediaType } from "./media-type.ts";
import type { ConvertedPage, FetchedPage, PageConverter } from "./page.ts";
import { pdfToText } from "./pdf/pdf-to-text.ts";

/** The largest text of which something is made; of larger ones, that much. */
const maxTextBytes = 5 * 1024 * 1024;

/** Makes text of a page here and now. Nothing in it can deceive who reads it by what is not seen. */
export const convertPage: PageConverter = async (page, signal) => {
  const media = readMediaType(page.contentType);
  const kind = findPageKind(media.type, page.body);
  const converted =
    kind === "pdf" ? await convertPdf(page, signal) : await convertText(page, media);
  const title = cleanWebLine(converted.title ?? "")
    .slice(0, maxTitleLength)
    .toWellFormed();
  return {
    ...(title !== "" && { title }),
    text: cleanWebText(converted.text),
    contentType: media.type || usualTypes[kind],
    notes: converted.notes,
  };
};

const maxTitleLength = 300;

const usualTypes = {
  html: "text/html",
  json: "application/json",
  text: "text/plain",
  pdf: "application/pdf",
  binary: "application/octet-stream",
} as const;

type Draft = Omit<ConvertedPage, "contentType">;

async function convertPdf({ body, isTruncated }: FetchedPage, signal: AbortSignal): Promise<Draft> {
  if (isTruncated) {
    throw new ToolError(
      "too-large",
      `The PDF has more than ${toMegabytes(body.length)} MB, and only smaller ones can be read. Download it with a command instead.`,
    );
  }
  const { title, text, pages, pagesRead } = await pdfToText(body, signal);
  const notes: string[] = [];
  if (text === "") {
    notes.push(`The PDF has ${count(pages, "page")} and no text in them; they may be images.`);
  } else if (pagesRead < pages) {
    notes.push(`This is the text of the first ${pagesRead} of ${count(pages, "page")}.`);
  }
  return { title, text, notes };
}

async function convertText(page: FetchedPage, media: MediaType): Promise<Draft> {
  const kind = findPageKind(media.type, page.body);
  if (kind === "binary") throw notText(page, media.type);
  const body = page.body.subarray(0, maxTextBytes);
  const isWhole = !page.isTruncated && body.length === page.body.length;
  const text = decode({ ...page, body }, media, isWhole);
  const notes = isWhole
    ? []
    : [`Only the first ${toMegabytes(body.length)} MB were read; the rest is missing.`];
  if (kind !== "html") return { text: kind === "json" ? formatJson(text) : text, notes };
  const { title, text: markdown, isCut } = await htmlToMarkdown(text, page.url);
  if (isCut && isWhole) notes.push("The page is too large to be converted; its end is missing.");
  if (markdown === "") {
    notes.push("The page shows no text by itself; it may be made by a script that was not run.");
  }
  return { title, text: markdown, notes };
}

function decode(page: FetchedPage, { type, charset }: MediaType, isWhole: boolean): string {
  try {
    return decodePage(page.body, { charset, isMarkup: /html|xml|^$/u.test(type), isWhole });
  } catch {
    throw notText(page, type);
  }
}

function notText({ body, isTruncated }: FetchedPage, type: string): ToolError {
  const size = `${isTruncated ? "more than " : ""}${count(body.length, "byte")}`;
  return new ToolError(
    "binary",
    `Not text: the page is ${type || "of an unknown type"}, ${size}. Download it with a command if it is needed.`,
  );
}

function count(number: number, name: string): string {
  return `${number} ${name}${number === 1 ? "" : "s"}`;
}

function toMegabytes(bytes: number): number {
  return Math.floor(bytes / (1024 * 1024));
}

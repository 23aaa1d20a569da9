import { ToolError } from "@haft/contract";
import type { getDocumentProxy } from "unpdf";
import { inspectPdf } from "./inspect-pdf.ts";

/** The text of a PDF. */
export interface PdfText {
  readonly title: string | undefined;
  readonly text: string;
  readonly pages: number;
  /** How many of the pages the text is of. */
  readonly pagesRead: number;
}

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
type PdfPage = Awaited<ReturnType<PdfDocument["getPage"]>>;

const mostCharacters = 2_000_000;
const patienceMs = 20_000;

/**
 * Reads the text of a PDF, page by page, until it is enough or takes too long. Throws `failed` for
 * what is no PDF or has a password.
 */
export async function pdfToText(bytes: Uint8Array, signal: AbortSignal): Promise<PdfText> {
  await inspectPdf(bytes);
  const document = await open(bytes);
  const end = performance.now() + patienceMs;
  const isOver = (): boolean => signal.aborted || performance.now() > end;
  const pages: string[] = [];
  let room = mostCharacters;
  try {
    while (pages.length < document.numPages && room > 0 && !isOver()) {
      const text = await readPage(await document.getPage(pages.length + 1), isOver);
      pages.push(text.trim());
      room -= text.length;
    }
    const text = pages.filter((page) => page !== "").join("\n\n");
    const title = await readTitle(document);
    return { title, text, pages: document.numPages, pagesRead: pages.length };
  } catch (error) {
    throw damaged(error);
  } finally {
    await document.loadingTask.destroy();
  }
}

async function open(bytes: Uint8Array): Promise<PdfDocument> {
  // Loaded when the first PDF comes: it is larger than all the rest together.
  const { getDocumentProxy } = await import("unpdf");
  try {
    return await getDocumentProxy(
      // It keeps what it is given, and takes nothing but this very class.
      new Uint8Array(bytes),
      { ...silent, disableFontFace: true, useSystemFonts: false, maxImageSize: 1 },
    );
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "PasswordException") throw damaged(error);
    throw new ToolError("failed", "The PDF has a password and can't be read without it.");
  }
}

function damaged(error: unknown): ToolError {
  return new ToolError("failed", "What was sent as a PDF can't be read as one: it is damaged.", {
    cause: error,
  });
}

const silent = { verbosity: 0 };

/**
 * The text of one page. It is asked for piece by piece, with a pause for others in between: what
 * reads the page waits until the next piece is asked for, and stops when no more are.
 */
async function readPage(page: PdfPage, isOver: () => boolean): Promise<string> {
  const reader = page.streamTextContent().getReader() as PieceReader;
  let text = "";
  let paused = performance.now();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      for (const { str = "", hasEOL } of value.items) text += hasEOL ? `${str}\n` : str;
      if (isOver() || text.length > mostCharacters) break;
      if (performance.now() - paused > longestTurnMs) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        paused = performance.now();
      }
    }
  } finally {
    // It may have ended already, or be broken.
    await reader.cancel(new Error("Enough was read.")).catch(() => {});
    page.cleanup();
  }
  return text;
}

const longestTurnMs = 20;

interface PieceReader {
  read(): Promise<
    | { readonly done: true; readonly value?: undefined }
    | { readonly done: false; readonly value: { readonly items: readonly TextPiece[] } }
  >;
  cancel(reason: Error): Promise<void>;
}

interface TextPiece {
  readonly str?: string;
  readonly hasEOL?: boolean;
}

async function readTitle(document: PdfDocument): Promise<string | undefined> {
  try {
    const { info } = (await document.getMetadata()) as { info: { Title?: unknown } };
    return typeof info.Title === "string" ? info.Title : undefined;
  } catch {
    return undefined;
  }
}

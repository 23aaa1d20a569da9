import { ToolError } from "@haft/contract";
import type { getDocumentProxy } from "unpdf";
import { inspectPdf } from "./inspect-pdf.ts";

/** The text of a PDF. */
export interface PdfText {
  readonly title: string | undefined;
  readonly text: string;
  readonly pages: number;
  /** The number of pages that were read. */
  readonly pagesRead: number;
}

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
type PdfPage = Awaited<ReturnType<PdfDocument["getPage"]>>;

const maxCharacters = 2_000_000;
const patienceMs = 20_000;

/**
 * Reads the text of a PDF, page by page, up to a limit of length and time. Throws `failed` if it is
 * not a PDF or has a password.
 */
export async function pdfToText(bytes: Uint8Array, signal: AbortSignal): Promise<PdfText> {
  await inspectPdf(bytes);
  const document = await open(bytes);
  const end = performance.now() + patienceMs;
  const isOver = (): boolean => signal.aborted || performance.now() > end;
  const pages: string[] = [];
  let room = maxCharacters;
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
  // Loaded with the first PDF: it is larger than all other dependencies together.
  const { getDocumentProxy } = await import("unpdf");
  try {
    return await getDocumentProxy(
      // It keeps the array, and accepts only this class.
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
 * Reads the text of one page in pieces, with pauses for other work. The PDF reader waits until the
 * next piece is requested, and stops if none is.
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
      if (isOver() || text.length > maxCharacters) break;
      if (performance.now() - paused > maxTurnMs) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        paused = performance.now();
      }
    }
  } finally {
    // It may have ended already, or be damaged.
    await reader.cancel(new Error("Enough was read.")).catch(() => {});
    page.cleanup();
  }
  return text;
}

const maxTurnMs = 20;

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

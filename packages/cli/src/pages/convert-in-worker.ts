import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { ToolError } from "@haft/contract";
import { type ConvertedPage, convertPage, type FetchedPage, type PageConverter } from "@haft/tools";
import type { PageAnswer } from "./page-answer.ts";

const longestMs = 25_000;
const mostMemoryMb = 512;
const smallBytes = 128 * 1024;

/**
 * Makes text of pages in a thread that can be stopped: what strangers wrote may keep its reader busy
 * for ever, or fill its memory. Small pages of text can't, and are not worth a thread.
 */
export const convertInWorker: PageConverter = (page, signal) =>
  isHarmless(page) ? convertPage(page, signal) : convertApart(page, signal);

function isHarmless({ body, contentType }: FetchedPage): boolean {
  const isPdf = /pdf/iu.test(contentType) || Buffer.from(body.subarray(0, 1024)).includes("%PDF-");
  return !isPdf && body.length <= smallBytes;
}

async function convertApart(page: FetchedPage, signal: AbortSignal): Promise<ConvertedPage> {
  const { Worker } = await import("node:worker_threads");
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const worker = new Worker(findScript(), {
      workerData: page,
      resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb },
      stdout: true,
      stderr: true,
    });
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      settle();
      void worker.terminate();
    };
    const stop = (): void => end(() => reject(signal.reason));
    const timer = setTimeout(() => end(() => reject(tooLong(page))), longestMs);
    signal.addEventListener("abort", stop, { once: true });
    worker.once("message", (answer: PageAnswer) =>
      end(() => {
        if ("page" in answer) resolve(answer.page);
        else reject(new ToolError(answer.refusal.code, answer.refusal.message));
      }),
    );
    worker.once("error", (error) => end(() => reject(tooMuch(page, error))));
    worker.once("exit", () => end(() => reject(tooMuch(page, undefined))));
  });
}

// Beside this file, among the sources, in the package and in the bundle alike.
function findScript(): URL {
  const extension = extname(fileURLToPath(import.meta.url));
  return new URL(`./page-worker${extension}`, import.meta.url);
}

function tooLong({ url }: FetchedPage): ToolError {
  return new ToolError(
    "timeout",
    `Making text of ${url} was stopped after ${longestMs / 1000} seconds. Fetch another form of it.`,
  );
}

function tooMuch({ url }: FetchedPage, cause: unknown): ToolError {
  return new ToolError(
    "failed",
    `No text could be made of ${url}: its reader broke down. Fetch another form of it.`,
    { cause },
  );
}

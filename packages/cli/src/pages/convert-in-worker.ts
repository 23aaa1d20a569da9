import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { ToolError } from "@haft/contract";
import type { ConvertedPage, FetchedPage, PageConverter } from "@haft/tools/internal";
import { convertPage } from "@haft/tools/internal";
import type { PageAnswer } from "./page-answer.ts";

const maxMs = 25_000;
const maxMemoryMb = 512;
const smallBytes = 128 * 1024;

/**
 * Converts pages to text in a thread that can be stopped: an untrusted page may take forever or use up
 * all memory. Small pages of text cannot and need no thread.
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
      resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
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
    const timer = setTimeout(() => end(() => reject(tooLong(page))), maxMs);
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

// Next to this file in the sources, the package and the bundle.
function findScript(): URL {
  const extension = extname(fileURLToPath(import.meta.url));
  return new URL(`./page-worker${extension}`, import.meta.url);
}

function tooLong({ url }: FetchedPage): ToolError {
  return new ToolError(
    "timeout",
    `Converting ${url} to text took more than ${maxMs / 1000} seconds and was stopped. Fetch it in another format.`,
  );
}

function tooMuch({ url }: FetchedPage, cause: unknown): ToolError {
  return new ToolError(
    "failed",
    `${url} could not be converted to text: the converter crashed. Fetch it in another format.`,
    { cause },
  );
}

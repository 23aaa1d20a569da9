// The script of a thread that converts one page to text and ends.
import { parentPort, workerData } from "node:worker_threads";
import { ToolError } from "@haft/contract";
import type { FetchedPage } from "@haft/tools/internal";
import { convertPage } from "@haft/tools/internal";
import type { PageAnswer } from "./page-answer.ts";

const neverAborted = new AbortController().signal;

async function answer(page: FetchedPage): Promise<PageAnswer> {
  try {
    return { page: await convertPage(page, neverAborted) };
  } catch (error) {
    if (!ToolError.isInstance(error)) throw error;
    return { refusal: { code: error.code, message: error.message } };
  }
}

parentPort?.postMessage(await answer(workerData as FetchedPage));

import { Problem } from "../problem.ts";
import type { Git, GitStart } from "./git-process.ts";

/** Options of a run of git whose output is collected. */
export interface GitRun extends GitStart {
  readonly input?: string | Uint8Array;
  /** Longer output is truncated, and git is stopped. */
  readonly maxBytes?: number;
  /** Exit codes besides 0 that are not errors. */
  readonly codes?: readonly number[];
}

/** The result of a run of git. */
export interface GitOutput {
  readonly code: number;
  readonly output: Buffer;
  /** Whether the output was truncated. */
  readonly truncated: boolean;
}

const maxBytes = 16 * 1024 * 1024;

/** Runs git and returns its output. */
export async function runGit(
  git: Git,
  args: readonly string[],
  options: GitRun = {},
): Promise<GitOutput> {
  const process = git.start(args, options);
  process.stdin.end(options.input ?? "");
  const limit = options.maxBytes ?? maxBytes;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdout as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > limit) break;
  }
  if (length > limit) process.stop();
  const end = await process.ended;
  if (length > limit) {
    return { code: 0, output: Buffer.concat(chunks).subarray(0, limit), truncated: true };
  }
  options.signal?.throwIfAborted();
  if (end.stopped === "timeout") {
    throw new Problem(503, "Reading the repository took too long. Request less at a time.");
  }
  if (end.stopped === "close") throw new Problem(503, "The server is shutting down. Try again.");
  if (end.code === null || ![0, ...(options.codes ?? [])].includes(end.code)) {
    throw new Error(`git ${args.join(" ")} ended with ${end.code}: ${end.errors}`);
  }
  return { code: end.code, output: Buffer.concat(chunks), truncated: false };
}

import { Problem } from "../problem.ts";
import type { Git, GitStart } from "./git-process.ts";

/** A run of git whose output is wanted whole. */
export interface GitRun extends GitStart {
  readonly input?: string | Uint8Array;
  /** Output beyond it is cut off, and git is stopped. */
  readonly mostBytes?: number;
  /** Ends that mean something; others are a fault. */
  readonly codes?: readonly number[];
}

/** What git answered. */
export interface GitOutput {
  readonly code: number;
  readonly output: Buffer;
  /** Whether there was more. */
  readonly truncated: boolean;
}

const mostBytes = 16 * 1024 * 1024;

/** Runs git to its end and gives its output. */
export async function runGit(
  git: Git,
  args: readonly string[],
  options: GitRun = {},
): Promise<GitOutput> {
  const process = git.start(args, options);
  process.stdin.end(options.input ?? "");
  const most = options.mostBytes ?? mostBytes;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdout as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > most) break;
  }
  if (length > most) process.stop();
  const end = await process.ended;
  if (length > most) {
    return { code: 0, output: Buffer.concat(chunks).subarray(0, most), truncated: true };
  }
  options.signal?.throwIfAborted();
  if (end.stopped === "timeout") {
    throw new Problem(503, "Reading the repository took too long. Ask for less at a time.");
  }
  if (end.stopped === "close") throw new Problem(503, "The server is shutting down. Try again.");
  if (end.code === null || ![0, ...(options.codes ?? [])].includes(end.code)) {
    throw new Error(`git ${args.join(" ")} ended with ${end.code}: ${end.errors}`);
  }
  return { code: end.code, output: Buffer.concat(chunks), truncated: false };
}

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openThreads, type ThreadsOptions } from "../open-threads.ts";
import type { ThreadEntry, ThreadFacts } from "../thread.ts";
import type { Threads } from "../threads.ts";

/** Threads of a test's own, whose directory goes when the test ends. */
export interface TestThreads {
  readonly directory: string;
  readonly path: string;
  readonly recordings: string;
  readonly threads: Threads;
  /** Opens the same threads once more, as another process would. */
  again(options?: ThreadsOptions): Promise<Threads>;
}

/** Opens threads in a directory of their own. */
export async function openTestThreads(options: ThreadsOptions = {}): Promise<TestThreads> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "haft-threads-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, "threads.db");
  const recordings = join(directory, "recordings.db");
  const again = async (more: ThreadsOptions = {}): Promise<Threads> => {
    const threads = await openThreads(path, { recordings, ...options, ...more });
    onTestFinished(() => threads.close());
    return threads;
  };
  return { directory, path, recordings, threads: await again(), again };
}

/** The facts of a session. */
export function factsOf(name: string, more: Partial<ThreadFacts> = {}): ThreadFacts {
  return { id: `w-1/${name}`, name, workspace: "/w", ...more };
}

/** What a person says. */
export function user(text: string): ThreadEntry {
  return { kind: "user", content: [{ type: "text", text }] };
}

/** What the model answers, with calls of `read` by their ids. */
export function answer(text: string, ...callIds: readonly string[]): ThreadEntry {
  return {
    kind: "assistant",
    agent: "build",
    model: "openai/m",
    content: [
      { type: "text", text },
      ...callIds.map((toolCallId) => ({
        type: "tool-call" as const,
        toolCallId,
        toolName: "read",
        input: { path: `${toolCallId}.txt` },
      })),
    ],
  };
}

/** The result of a call. */
export function came(callId: string, value = `content of ${callId}`): ThreadEntry {
  return { kind: "result", callId, name: "read", output: { type: "text", value } };
}

/** The end of a turn. */
export const end: ThreadEntry = { kind: "turn-end", reason: "end" };

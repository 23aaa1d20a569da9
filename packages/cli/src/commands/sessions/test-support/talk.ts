import { join } from "node:path";
import { openThreads, type Thread, type ThreadEntry, type ThreadFacts } from "@haft/agent/threads";
import { createDiskComputer } from "@haft/computer";
import type { TestWorkspace } from "../../../test-support/run-haft.ts";

/** A session in which an agent is to have worked. */
export interface Talk extends Partial<ThreadFacts> {
  readonly name: string;
}

/** Puts what was said into the thread of a session, as an agent does, and gives the session's id. */
export async function talk(
  { directory, state }: Pick<TestWorkspace, "directory" | "state">,
  { name, ...facts }: Talk,
  entries: readonly ThreadEntry[],
): Promise<string> {
  const computer = createDiskComputer({ workspace: directory, stateDirectory: state });
  const { id } = computer.openSession(name);
  const threads = await openThreads(join(state, "threads.db"));
  const thread: Thread = threads.open({ id, name, workspace: directory, ...facts });
  for (const entry of entries) thread.append(entry);
  threads.close();
  return id;
}

/** What a person says. */
export function said(text: string): ThreadEntry {
  return { kind: "user", content: [{ type: "text", text }] };
}

/** What the model answers, with a call of `read` if an id is given. */
export function answered(text: string, callId?: string): ThreadEntry {
  return {
    kind: "assistant",
    agent: "build",
    model: "openai/m",
    content: [
      { type: "text", text },
      ...(callId === undefined
        ? []
        : [
            {
              type: "tool-call" as const,
              toolCallId: callId,
              toolName: "read",
              input: { path: "a.txt" },
            },
          ]),
    ],
  };
}

/** The end of a turn. */
export const ended: ThreadEntry = { kind: "turn-end", reason: "end" };

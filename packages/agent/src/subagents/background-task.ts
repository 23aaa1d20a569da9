import { randomInt } from "node:crypto";
import { ToolError } from "@haft/contract";
import type { ChildData } from "./child-data.ts";
import type { SpawnedChild } from "./spawned-child.ts";

/** How far a task in the background is. */
export type TaskStatus = "running" | "done" | "failed" | "stopped";

/** A child at work beside its parent. */
export interface BackgroundTask {
  readonly id: string;
  readonly agent: string;
  /** Absent if nobody is to look at it. */
  readonly thread: string | undefined;
  readonly status: TaskStatus;
  /** What came of it, once it has ended with something. */
  readonly data: ChildData | undefined;
  /** Why nothing came of it. */
  readonly error: string | undefined;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  /** Whether the model knows how it ended, and need not be told again. */
  isTold: boolean;
  stop(): void;
}

const letters = "abcdefghijkmnpqrstuvwxyz23456789";

/** Has a child begin. The id is no other task's, also of an earlier process: the model may remember those. */
export function startTask(child: SpawnedChild): BackgroundTask {
  const controller = new AbortController();
  const { agent, thread } = child;
  let status: TaskStatus = "running";
  let data: ChildData | undefined;
  let error: string | undefined;
  const run = async (): Promise<void> => {
    try {
      data = await child.run(controller.signal);
      ({ error } = data);
      status = endOf(data);
    } catch (thrown) {
      error = thrown instanceof Error ? thrown.message : String(thrown);
      status = controller.signal.aborted ? "stopped" : "failed";
    }
  };
  const ended = run();
  return {
    id: `task-${Array.from({ length: 6 }, () => letters[randomInt(letters.length)]).join("")}`,
    agent,
    thread,
    get status() {
      return status;
    },
    get data() {
      return data;
    },
    get error() {
      return error;
    },
    ended,
    isTold: false,
    stop: () => controller.abort(new ToolError("cancelled", `The subagent ${agent} was stopped.`)),
  };
}

function endOf({ reason, text }: ChildData): TaskStatus {
  if (reason === "aborted") return "stopped";
  return reason === "error" && text === "" ? "failed" : "done";
}

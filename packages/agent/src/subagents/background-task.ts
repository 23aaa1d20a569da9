import { randomInt } from "node:crypto";
import { ToolError } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import type { ChildData } from "./child-data.ts";
import type { SpawnedChild } from "./spawned-child.ts";

/** Status of a background task. */
export type TaskStatus = "running" | "done" | "failed" | "stopped";

/** A subagent that runs in the background. */
export interface BackgroundTask {
  readonly id: string;
  readonly agent: string;
  /** ID of its thread. Absent if the agent is not inspectable. */
  readonly thread: string | undefined;
  readonly status: TaskStatus;
  /** Its answer, once it has ended with one. */
  readonly data: ChildData | undefined;
  /** Why it failed. */
  readonly error: string | undefined;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  /** Whether the model has been told how it ended. */
  isTold: boolean;
  stop(): void;
}

const letters = "abcdefghijkmnpqrstuvwxyz23456789";

/** Starts a subagent in the background. IDs are random: the model may remember those of an earlier process. */
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
      error = toErrorMessage(thrown);
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

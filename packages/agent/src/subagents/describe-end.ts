import { clipText } from "../loop/clip-text.ts";
import type { BackgroundTask } from "./background-task.ts";

const longestAnswer = 20_000;
const mostFiles = 20;

/** Tells the model how a task in the background ended, and what came of it. */
export function describeEnd(task: BackgroundTask): string {
  const { id, agent } = task;
  const lines = [
    `The background task ${id} (${agent}) ${describeOutcome(task)}`,
    describeFiles(task),
    describeAnswer(task),
  ];
  return lines.filter((line) => line !== "").join("\n");
}

function describeOutcome({ status, data, error }: BackgroundTask): string {
  const cause = error === undefined ? "" : ` ${error}`;
  if (status === "stopped") return "was stopped.";
  if (status === "failed") return `failed.${cause}`;
  if (data === undefined || data.reason === "end") return "is done.";
  return `ended before it was done (${data.reason}).${cause}`;
}

function describeFiles({ data }: BackgroundTask): string {
  const files = data?.changed_files ?? [];
  if (files.length === 0) return "";
  const more = files.length - mostFiles + (data?.more_changed_files ?? 0);
  const shown = files.slice(0, mostFiles).join(", ");
  return `Changed: ${shown}${more > 0 ? ` and ${more} more` : ""}.`;
}

function describeAnswer({ id, thread, data }: BackgroundTask): string {
  const text = data?.text ?? "";
  if (text === "") return "";
  if (text.length <= longestAnswer) return `Its answer:\n${text}`;
  const head = clipText(text, longestAnswer);
  const rest = text.length - head.length;
  const place = thread === undefined ? "" : `, and read_thread the whole thread ${thread}`;
  return `The beginning of its answer:\n${head}\n[${rest} more characters. task_output with task_id ${id} shows all of it${place}.]`;
}

import { clipText } from "@haft/contract/internal";
import type { BackgroundTask } from "./background-task.ts";

type NameTools = (text: string) => string;

const maxAnswer = 20_000;
const maxFiles = 20;

/** Describes to the model how a background task ended, with its answer. */
export function describeEnd(task: BackgroundTask, nameTools: NameTools): string {
  const { id, agent } = task;
  const lines = [
    `The background task ${id} (${agent}) ${describeOutcome(task)}`,
    describeFiles(task),
    ...(task.data?.notes ?? []),
    describeAnswer(task, nameTools),
  ];
  return lines.filter((line) => line !== "").join("\n");
}

function describeOutcome({ status, data, error }: BackgroundTask): string {
  const cause = error === undefined ? "" : ` ${error}`;
  if (status === "stopped") return "was stopped.";
  if (status === "failed") return `failed.${cause}`;
  if (data === undefined || data.reason === "end") return "has finished.";
  return `stopped before it was finished (${data.reason}).${cause}`;
}

function describeFiles({ data }: BackgroundTask): string {
  const files = data?.changed_files ?? [];
  if (files.length === 0) return "";
  const more = files.length - maxFiles + (data?.more_changed_files ?? 0);
  const shown = files.slice(0, maxFiles).join(", ");
  return `Changed: ${shown}${more > 0 ? ` and ${more} more` : ""}.`;
}

function describeAnswer({ id, thread, data }: BackgroundTask, nameTools: NameTools): string {
  const text = data?.text ?? "";
  if (text === "") return "";
  if (text.length <= maxAnswer) return `Answer:\n${text}`;
  const head = clipText(text, maxAnswer, "");
  const rest = text.length - head.length;
  const advice = [
    nameTools(`\`task_output\` with task_id ${id} shows all of it.`),
    thread === undefined ? "" : nameTools(`\`read_thread\` shows the whole thread ${thread}.`),
  ].join(" ");
  return `Beginning of the answer:\n${head}\n[${`${rest} more characters. ${advice}`.trimEnd()}]`;
}

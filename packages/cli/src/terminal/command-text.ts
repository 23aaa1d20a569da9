import type { ShownText } from "./shown-text.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Formats a command that ran: its output, and how it ended. */
export function toCommandText(data: Fields): ShownText | undefined {
  if (typeof data.output !== "string" || !("exit_code" in data || "job_id" in data)) {
    return undefined;
  }
  const end = "job_id" in data ? [`job ${data.job_id}: ${describeState(data)}`] : describeEnd(data);
  return { text: data.output, remarks: [...end, ...describeRest(data)] };
}

/** Formats a session's jobs. */
export function toJobsText({ jobs }: Fields): ShownText | undefined {
  if (!Array.isArray(jobs)) return undefined;
  if (jobs.length === 0) return { text: "", remarks: ["no jobs"] };
  return {
    text: (jobs as Fields[])
      .map((job) => `${job.job_id}  ${describeState(job)}  ${job.command}`)
      .join("\n"),
  };
}

function describeState(job: Fields): string {
  if (job.state !== "running") return ["ended", ...describeEnd(job)].join(", ");
  const ports = job.ports as readonly number[] | undefined;
  return ports === undefined || ports.length === 0
    ? "running"
    : `running, port ${ports.join(", ")}`;
}

function describeEnd({ exit_code, signal }: Fields): string[] {
  if (typeof signal === "string") return [`ended by ${signal}`];
  return typeof exit_code === "number" && exit_code !== 0 ? [`exit code ${exit_code}`] : [];
}

function describeRest(data: Fields): string[] {
  const list = (field: unknown): readonly unknown[] => (Array.isArray(field) ? field : []);
  const left = list(data.left_running) as readonly Fields[];
  const hosts = list(data.refused_hosts);
  return [
    ...(typeof data.waited_for_input === "string"
      ? [`it waited for input at ${JSON.stringify(data.waited_for_input)} and was ended`]
      : []),
    ...left.map(({ pid, command }) => `was still running and was ended: ${command} (${pid})`),
    ...(hosts.length === 0 ? [] : [`refused hosts: ${hosts.join(", ")} (see --allow-host)`]),
    ...list(data.notes).map(String),
    ...(typeof data.advice === "string" ? [data.advice] : []),
  ];
}

import type { Job, JsonSchema } from "@haft/contract";
import { toPlainText } from "../bash/to-plain-text.ts";

/** What is told of a job. */
export interface JobData {
  job_id: string;
  state: "running" | "ended";
  command: string;
  cwd: string;
  /** In ISO 8601. */
  started_at: string;
  /** The first of its processes, while it runs. */
  pid?: number;
  /** The ports that its processes listen on. */
  ports: number[];
  exit_code?: number;
  signal?: string;
  /** Why it ended, if neither by itself nor by job_stop. */
  reason?: string;
}

/** The schema of `JobData`'s properties. */
export const jobProperties: Readonly<Record<string, JsonSchema>> = {
  job_id: { type: "string" },
  state: { enum: ["running", "ended"] },
  command: { type: "string" },
  cwd: { type: "string", description: "In full." },
  started_at: { type: "string" },
  pid: { type: "integer", description: "The first of its processes, while it runs." },
  ports: { type: "array", items: { type: "integer" }, description: "What it listens on." },
  exit_code: { type: "integer" },
  signal: { type: "string", description: "The signal that ended it." },
  reason: { type: "string", description: "Why it ended, if neither by itself nor by job_stop." },
};

/** The properties that every `JobData` has. */
export const jobRequired: readonly string[] = [
  "job_id",
  "state",
  "command",
  "cwd",
  "started_at",
  "ports",
];

/** Tells of a job in the tools' own terms. */
export function toJobData(job: Job): JobData {
  const { id, state, command, cwd, startedAt, processes, exitCode, signal, reason } = job;
  const ports = new Set(processes.flatMap((each) => each.ports));
  const data: JobData = {
    job_id: id,
    state,
    command: toPlainText(command),
    cwd,
    started_at: new Date(startedAt).toISOString(),
    ports: [...ports].sort((a, b) => a - b),
  };
  if (processes[0] !== undefined) data.pid = processes[0].pid;
  if (exitCode !== undefined) data.exit_code = exitCode;
  if (signal !== undefined) data.signal = signal;
  if (reason !== undefined) data.reason = reason;
  return data;
}

import type { Job, JsonSchema } from "@haft/contract";
import { toPlainText } from "../bash/to-plain-text.ts";

/** A job as the tools report it. */
export interface JobData {
  job_id: string;
  state: "running" | "ended";
  command: string;
  cwd: string;
  /** In ISO 8601. */
  started_at: string;
  /** Its first process, while it runs. */
  pid?: number;
  /** The ports that its processes listen on. */
  ports: number[];
  exit_code?: number;
  signal?: string;
  /** Why it ended, if neither on its own nor by job_stop. */
  reason?: string;
  /** Whether everything it changed can be undone. Absent while that is not known. */
  reversible?: boolean;
  /** The first of `changes_total` changes that it made, if they are known. */
  changes?: { path: string; kind: string; undoable: boolean; kept_at?: string }[];
  changes_total?: number;
  notes?: string[];
}

const maxChanges = 20;

/** The schema of `JobData`'s properties. */
export const jobProperties: Readonly<Record<string, JsonSchema>> = {
  job_id: { type: "string" },
  state: { enum: ["running", "ended"] },
  command: { type: "string" },
  cwd: { type: "string", description: "Absolute." },
  started_at: { type: "string" },
  pid: { type: "integer", description: "First process, while it runs." },
  ports: { type: "array", items: { type: "integer" }, description: "Ports it listens on." },
  exit_code: { type: "integer" },
  signal: { type: "string", description: "Signal that ended it." },
  reason: { type: "string", description: "Why it ended, if neither on its own nor by a call." },
  reversible: { type: "boolean", description: "Whether all that it changed can be undone." },
  changes: {
    type: "array",
    items: {
      type: "object",
      properties: {
        path: { type: "string" },
        kind: { enum: ["created", "modified", "deleted", "renamed", "mode"] },
        undoable: { type: "boolean" },
        kept_at: {
          type: "string",
          description: "Where its version is, if it was not applied because of a conflict.",
        },
      },
      required: ["path", "kind", "undoable"],
      additionalProperties: false,
    },
  },
  changes_total: { type: "integer" },
  notes: { type: "array", items: { type: "string" } },
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

/** Converts a job to the format of the tools. */
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
  const { reversible, changes, notes } = job;
  if (reversible !== undefined) data.reversible = reversible;
  if (changes !== undefined) {
    data.changes = changes.slice(0, maxChanges).map(({ path, kind, undoable, keptAt }) => ({
      ...{ path, kind, undoable },
      ...(keptAt !== undefined && { kept_at: keptAt }),
    }));
    data.changes_total = changes.length;
  }
  if (notes !== undefined) data.notes = notes.map(toPlainText);
  return data;
}

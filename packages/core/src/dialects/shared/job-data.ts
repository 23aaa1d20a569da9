import { ToolError } from "@haft/contract";

/** What is told of a job. */
export interface JobData {
  readonly job_id: string;
  readonly state: "running" | "ended";
  readonly pid?: number;
  readonly ports: readonly number[];
  readonly exit_code?: number;
  readonly signal?: string;
  readonly reason?: string;
  readonly output?: string;
  readonly omitted_bytes?: number;
  readonly message?: string;
}

/** How a job is, in a sentence. */
export function describeJob(data: JobData): string {
  const { job_id: id, state, pid, ports, exit_code: code, signal, reason } = data;
  if (state === "ended") {
    const how = signal === undefined ? `with exit code ${code ?? "unknown"}` : `by ${signal}`;
    return `${id} ended ${how}${reason === undefined ? "" : ` (${reason})`}.`;
  }
  const facts = [
    ...(pid === undefined ? [] : [`pid ${pid}`]),
    ...(ports.length === 0 ? [] : [`listens on ${ports.join(", ")}`]),
  ];
  return `${id} is running${facts.length === 0 ? "" : ` (${facts.join(", ")})`}.`;
}

/** What a job has printed, below the sentence. */
export function describeJobOutput({ output = "", omitted_bytes: omitted }: JobData): string {
  if (output === "" && omitted === undefined) return "It has printed nothing.";
  const gap = omitted === undefined ? "" : `[${omitted} earlier bytes are no longer kept]\n`;
  return `Output:\n${gap}${output}`;
}

/** What a command for the background ends in where the tools for that are not there. */
export function noBackground(field: string): ToolError {
  return new ToolError(
    "not-available",
    `${field}: nothing can be left in the background here. Run a command that ends by itself.`,
  );
}

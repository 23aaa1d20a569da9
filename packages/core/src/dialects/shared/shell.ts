import { ToolError } from "@haft/contract";

/** The data of `bash`. */
export interface CommandData extends Oddities {
  readonly output?: string;
  readonly exit_code?: number | null;
  readonly signal?: string;
  /** It goes on as this job. */
  readonly job_id?: string;
}

interface Oddities {
  readonly waited_for_input?: string;
  readonly left_running?: readonly { readonly command: string }[];
  readonly refused_hosts?: readonly string[];
  readonly notes?: readonly string[];
  readonly advice?: string;
}

/** Describes facts that no family's format has room for but a model needs, one line each. */
export function describeOddities(data: Oddities): string {
  const { waited_for_input: prompt, left_running = [], refused_hosts = [], notes = [] } = data;
  const sentences = [
    ...(prompt === undefined
      ? []
      : [`Stopped: the command waited for input at ${JSON.stringify(prompt)}.`]),
    ...left_running.map(({ command }) => `Stopped a process that was left running: ${command}`),
    ...refused_hosts.map((host) => `The connection to ${host} was refused.`),
    ...notes,
    ...(data.advice === undefined ? [] : [data.advice]),
  ];
  return sentences.map((sentence) => `\n[${sentence}]`).join("");
}

/** Inserts the path of the sidecar into a command's output that was cut. */
export function nameKeptFile(output: string, outputPath: string | undefined): string {
  if (outputPath === undefined) return output;
  return output.replace(gap, (line) => line.replace(unnamed, () => outputPath));
}

const unnamed = "the path in output_path";
const gap = /^\[… [\d,]+ bytes left out here; .*…\]$/mu;

/** Returns a command's exit code in Python's convention: a signal is its negative number. */
export function toExitCode(
  exitCode: number | null | undefined,
  signal: string | undefined,
): number {
  if (typeof exitCode === "number") return exitCode;
  return -(signalNumbers.get(signal ?? "") ?? 1);
}

// Linux's numbers of the signals that end processes.
const signalNumbers: ReadonlyMap<string, number> = new Map([
  ["SIGHUP", 1],
  ["SIGINT", 2],
  ["SIGQUIT", 3],
  ["SIGILL", 4],
  ["SIGTRAP", 5],
  ["SIGABRT", 6],
  ["SIGBUS", 7],
  ["SIGFPE", 8],
  ["SIGKILL", 9],
  ["SIGUSR1", 10],
  ["SIGSEGV", 11],
  ["SIGUSR2", 12],
  ["SIGPIPE", 13],
  ["SIGALRM", 14],
  ["SIGTERM", 15],
  ["SIGXCPU", 24],
  ["SIGXFSZ", 25],
  ["SIGSYS", 31],
]);

/** The data of the job tools. */
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
  readonly changes?: readonly { readonly path: string; readonly kind: string }[];
  readonly changes_total?: number;
  readonly notes?: readonly string[];
}

/** Describes the state of a job in a sentence. */
export function describeJob(data: JobData): string {
  const { job_id: id, state, pid, ports, exit_code: code, signal, reason } = data;
  if (state === "ended") {
    const how = signal === undefined ? `with exit code ${code ?? "unknown"}` : `by ${signal}`;
    const why = reason === undefined ? "" : ` (${reason})`;
    return [`${id} ended ${how}${why}.`, ...describeEffects(data)].join("\n");
  }
  const facts = [
    ...(pid === undefined ? [] : [`pid ${pid}`]),
    ...(ports.length === 0 ? [] : [`listens on ${ports.join(", ")}`]),
  ];
  return `${id} is running${facts.length === 0 ? "" : ` (${facts.join(", ")})`}.`;
}

function describeEffects({ changes = [], changes_total: total, notes = [] }: JobData): string[] {
  const paths = changes.map(({ path, kind }) => `${path} (${kind})`).join(", ");
  const more = (total ?? 0) > changes.length ? `, and ${(total ?? 0) - changes.length} more` : "";
  return [...(paths === "" ? [] : [`Changed: ${paths}${more}.`]), ...notes];
}

/** Returns the output of a job with a heading. */
export function describeJobOutput({ state, output = "", omitted_bytes: omitted }: JobData): string {
  if (output === "" && omitted === undefined) {
    return state === "running" ? "No output yet." : "No output.";
  }
  const gap = omitted === undefined ? "" : `[${omitted} earlier bytes are no longer kept]\n`;
  return `Output:\n${gap}${output}`;
}

/** Returns the error for a background command in a session without job tools. */
export function noBackground(field: string): ToolError {
  return new ToolError(
    "not-available",
    `${field}: this session can't run commands in the background. Run a command that ends by itself.`,
  );
}

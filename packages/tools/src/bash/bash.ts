import {
  type CommandResult,
  type CommandRun,
  defineTool,
  type Runtime,
  type Tool,
  ToolError,
} from "@haft/contract";
import { clipText } from "@haft/contract/internal";
import { toAdvice } from "./advice.ts";
import { bashAliases } from "./bash-aliases.ts";
import type { BashArguments } from "./bash-arguments.ts";
import type { BashData } from "./bash-data.ts";
import { expandHome } from "./expand-home.ts";
import { joinOutput, type KeptOutput } from "./join-output.ts";
import { lastCharacters } from "./last-characters.ts";
import { reportOutput } from "./report-output.ts";
import { rethrowPlain } from "./rethrow-plain.ts";
import { toPlainText } from "./to-plain-text.ts";

const maxShownBytes = 200 * 1024;
const kept = { head: 64 * 1024, tail: 128 * 1024 };
const maxTimeoutMs = 24 * 60 * 60 * 1000;
const maxProcesses = 50;
const maxTextLength = 500;

/**
 * The `bash` tool: runs one command line.
 *
 * @example
 * ```ts
 * import { bash, jobTools } from "@haft/tools";
 *
 * const tools = [bash, ...jobTools];
 * ```
 */
export const bash: Tool<BashArguments, BashData> = defineTool({
  id: "bash",
  description: [
    "Runs a command line with bash and returns its output and exit code. Long output is cut to its head and tail.",
    "Every call starts a new shell: cd and variables do not persist, so set cwd.",
    "There is no terminal and no input: use options such as -y, or pipe input in.",
    "In a sandbox, only the workspace is writable and only allowed hosts are reachable.",
    "`undo_edit` undoes what it changed where the result says reversible.",
    "Processes that it leaves running are stopped. For servers use `job_start`.",
    "Prefer `read`, `grep`, `glob` and `edit` to cat, grep, find and sed.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      command: { type: "string", minLength: 1, description: "The command." },
      cwd: {
        type: "string",
        minLength: 1,
        description: "Default: the workspace.",
      },
      timeout_ms: {
        type: "integer",
        minimum: 1,
        maximum: maxTimeoutMs,
        description: "Default: none.",
      },
      on_timeout: {
        enum: ["background", "stop"],
        description: "Default: background for agents, otherwise stop.",
      },
    },
    required: ["command"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      output: { type: "string", description: "Standard output and error, interleaved." },
      exit_code: {
        type: ["integer", "null"],
        description: "null if a signal ended it or it is still running.",
      },
      job_id: {
        type: "string",
        description: "Job as which it continues in the background, after its time limit.",
      },
      signal: { type: "string", description: "Signal that ended it." },
      waited_for_input: {
        type: "string",
        description: "The prompt at which it waited for input and was stopped.",
      },
      left_running: {
        type: "array",
        items: {
          type: "object",
          properties: {
            pid: { type: "integer" },
            command: { type: "string" },
            ports: { type: "array", items: { type: "integer" } },
          },
          required: ["pid", "command", "ports"],
          additionalProperties: false,
        },
        description: "Background processes it left, which were stopped.",
      },
      diff: { type: "string", description: "Diff of what it changed, if short." },
      refused_hosts: { type: "array", items: { type: "string" } },
      notes: { type: "array", items: { type: "string" } },
      advice: { type: "string" },
    },
    required: ["output", "exit_code"],
    additionalProperties: false,
  },
  requires: {
    fs: { read: ["{workspace}/**"], write: ["{workspace}/**"] },
    net: { hosts: ["{allowed-hosts}"] },
    shell: [{ cmd: "*" }],
  },
  kind: "execute",
  source: "builtin",
  timeoutMs: "none",
  maxOutput: { bytes: maxShownBytes, field: "output" },
  aliases: bashAliases,
  execution: {
    resourceKeys: ({ command, cwd }) => [
      { type: "command", key: command, mode: "write", ...(cwd !== undefined && { cwd }) },
    ],
  },
  prepare: expandHome,
  execute: async (args, runtime) => {
    if (runtime.signal.aborted) throw new ToolError("cancelled", "Cancelled: nothing was run.");
    const settings = runtime.settings as BashSettings;
    const { tail_characters: characters } = settings;
    // A character takes at most four bytes.
    const keep = characters === undefined ? toKept(settings) : { head: 0, tail: 4 * characters };
    const result = await run(args, { keep, errorsLast: settings.errors_last === true }, runtime);
    const output =
      characters === undefined
        ? joinOutput(result.output, keep, result.jobId)
        : lastCharacters(toPlainText(result.output.head + result.output.tail), characters);
    const { error } = result.discarded ?? {};
    if (error !== undefined) throw describeDiscarded(error, result, output);
    return toData(args.command, result, output);
  },
});

interface BashSettings {
  /** Show only this many characters from the end of the output. */
  readonly tail_characters?: number;
  /** How many bytes of long output to show from its start and its end. */
  readonly head_bytes?: number;
  readonly tail_bytes?: number;
  /** The room that the output has. */
  readonly max_bytes?: number;
  /** Show standard error after standard output. Default: in the order in which they arrive. */
  readonly errors_last?: boolean;
}

function toKept({ head_bytes, tail_bytes, max_bytes }: BashSettings): KeptOutput {
  const wanted = { head: head_bytes ?? kept.head, tail: tail_bytes ?? kept.tail };
  const share = ((max_bytes ?? Number.POSITIVE_INFINITY) - gapBytes) / (wanted.head + wanted.tail);
  if (share >= 1) return wanted;
  return { head: Math.floor(wanted.head * share), tail: Math.floor(wanted.tail * share) };
}

// The line that says how much is missing.
const gapBytes = 200;

function run(
  { command, cwd, timeout_ms: timeoutMs, on_timeout: onTimeout }: BashArguments,
  output: Required<Pick<CommandRun, "keep" | "errorsLast">>,
  { shell, progress }: Runtime,
): Promise<CommandResult> {
  return shell
    .execute({
      command,
      ...output,
      ...(cwd !== undefined && { cwd }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(onTimeout !== undefined && { onTimeout }),
      onOutput: reportOutput(progress),
    })
    .catch(rethrowPlain);
}

function toData(command: string, result: CommandResult, output: string): BashData {
  const { exitCode, signal, jobId, waitedAt, leftRunning, refusedHosts, notes, diff } = result;
  const data: BashData = { output, exit_code: exitCode ?? null };
  if (jobId !== undefined) data.job_id = jobId;
  if (signal !== undefined) data.signal = signal;
  if (waitedAt !== undefined) data.waited_for_input = clip(waitedAt);
  if (leftRunning.length > 0) {
    data.left_running = leftRunning.slice(0, maxProcesses).map(({ pid, command, ports }) => ({
      pid,
      command: clip(command),
      ports: [...ports],
    }));
  }
  if (diff !== undefined) data.diff = toPlainText(diff);
  if (refusedHosts.length > 0) data.refused_hosts = [...refusedHosts];
  if (notes.length > 0) data.notes = [...notes];
  const advice = toAdvice(command, result);
  if (advice !== undefined) data.advice = advice;
  return data;
}

/** The error of a command that ran, but whose changes were not approved. It says what the command did. */
function describeDiscarded(
  { code, message }: ToolError,
  result: CommandResult,
  output: string,
): ToolError {
  const { exitCode, signal, waitedAt } = result;
  const end =
    exitCode === undefined ? `Ended by ${signal ?? "a signal"}.` : `Exit code: ${exitCode}.`;
  const waited = waitedAt === undefined ? "" : ` It waited for input at: ${clip(waitedAt)}`;
  return new ToolError(code, `${message}\n\n${end}${waited} Output:\n${output}`);
}

function clip(text: string): string {
  return clipText(toPlainText(text), maxTextLength);
}

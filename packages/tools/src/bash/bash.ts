import { type CommandResult, defineTool, type Runtime, type Tool, ToolError } from "@haft/contract";
import { bashAliases } from "./bash-aliases.ts";
import type { BashArguments } from "./bash-arguments.ts";
import type { BashData } from "./bash-data.ts";
import { expandHome } from "./expand-home.ts";
import { joinOutput, type KeptOutput } from "./join-output.ts";
import { reportOutput } from "./report-output.ts";
import { rethrowPlain } from "./rethrow-plain.ts";
import { toAdvice } from "./to-advice.ts";
import { toPlainText } from "./to-plain-text.ts";
import { lastCharacters } from "./utf8-tail.ts";

const mostShownBytes = 200 * 1024;
const kept = { head: 64 * 1024, tail: 128 * 1024 };
const longestTimeoutMs = 24 * 60 * 60 * 1000;
const mostProcesses = 50;
const longestText = 500;

/** Runs one command line. */
export const bash: Tool<BashArguments, BashData> = defineTool({
  id: "bash",
  description: [
    "Runs one command line with bash and gives what it printed and its exit code; a code other than 0 is a result, not an error.",
    "Every call starts afresh: cd, variables and functions do not persist, so say cwd.",
    "There is no terminal and standard input is closed: use options such as -y or --no-edit, or pipe input in.",
    "Of long output the head and the tail are shown.",
    "Where there is a sandbox, only the workspace can be written, and only hosts that a person allowed can be reached.",
    "What still runs when the command ends is ended too: for servers use job_start.",
    "Prefer read, grep, glob and edit to cat, grep, find and sed.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      command: { type: "string", minLength: 1, description: "The command line, in bash's syntax." },
      cwd: {
        type: "string",
        minLength: 1,
        description: "The directory to start in; the workspace root if left out.",
      },
      timeout_ms: {
        type: "integer",
        minimum: 1,
        maximum: longestTimeoutMs,
        description: "End the command after so many milliseconds; no limit if left out.",
      },
    },
    required: ["command"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      output: { type: "string", description: "Standard output and error as they came." },
      exit_code: { type: ["integer", "null"], description: "null if a signal ended it." },
      signal: { type: "string", description: "The signal that ended it." },
      waited_for_input: {
        type: "string",
        description: "The prompt at which it waited for a person, and was ended.",
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
        description: "What it left in the background, which was ended.",
      },
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
  maxOutput: { bytes: mostShownBytes, field: "output" },
  aliases: bashAliases,
  execution: {
    resourceKeys: ({ command, cwd }) => [
      { type: "command", key: command, mode: "write", ...(cwd !== undefined && { cwd }) },
    ],
  },
  prepare: expandHome,
  execute: async (args, runtime) => {
    if (runtime.signal.aborted) throw new ToolError("cancelled", "Ran nothing: aborted.");
    const { tail_characters: characters, ...limits } = runtime.settings as BashSettings;
    // No character takes more than four bytes.
    const keep = characters === undefined ? toKept(limits) : { head: 0, tail: 4 * characters };
    const result = await run(args, keep, runtime);
    const output =
      characters === undefined
        ? joinOutput(result.output, keep)
        : lastCharacters(toPlainText(result.output.head + result.output.tail), characters);
    return toData(args.command, result, output);
  },
});

interface BashSettings {
  /** Show the end of the output only, so many characters of it. */
  readonly tail_characters?: number;
  /** How much of long output to show, from its start and from its end. */
  readonly head_bytes?: number;
  readonly tail_bytes?: number;
}

function toKept({ head_bytes, tail_bytes }: BashSettings): KeptOutput {
  return { head: head_bytes ?? kept.head, tail: tail_bytes ?? kept.tail };
}

function run(
  { command, cwd, timeout_ms: timeoutMs }: BashArguments,
  keep: { readonly head: number; readonly tail: number },
  { shell, progress }: Runtime,
): Promise<CommandResult> {
  return shell
    .execute({
      command,
      keep,
      ...(cwd !== undefined && { cwd }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      onOutput: reportOutput(progress),
    })
    .catch(rethrowPlain);
}

function toData(command: string, result: CommandResult, output: string): BashData {
  const { exitCode, signal, waitedAt, leftRunning, refusedHosts, notes } = result;
  const data: BashData = { output, exit_code: exitCode ?? null };
  if (signal !== undefined) data.signal = signal;
  if (waitedAt !== undefined) data.waited_for_input = clip(waitedAt);
  if (leftRunning.length > 0) {
    data.left_running = leftRunning.slice(0, mostProcesses).map(({ pid, command, ports }) => ({
      pid,
      command: clip(command),
      ports: [...ports],
    }));
  }
  if (refusedHosts.length > 0) data.refused_hosts = [...refusedHosts];
  if (notes.length > 0) data.notes = [...notes];
  const advice = toAdvice(command, result);
  if (advice !== undefined) data.advice = advice;
  return data;
}

function clip(text: string): string {
  const plain = toPlainText(text);
  return plain.length > longestText ? `${plain.slice(0, longestText - 1)}…` : plain;
}

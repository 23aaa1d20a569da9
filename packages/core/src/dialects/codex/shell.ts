import type { ObjectSchema } from "@haft/contract";
import type { DialectAlias } from "../dialect.ts";
import { type Given, givenCount, givenText, leaveOut } from "../shared/given.ts";
import { type CommandData, describeOddities, nameKeptFile, toExitCode } from "../shared/shell.ts";
import { keepEnds } from "../shared/shorten-text.ts";
import { toCommandLine } from "./command-line.ts";
import { applyPatch } from "./files.ts";
import { findPatch } from "./find-patch.ts";

/** The shell tool under all its names. Only `shell_command` is shown. */
export const shell: readonly DialectAlias[] = [
  ...toAliases("shell_command", { shown: true, field: "command", isList: false }),
  ...toAliases("shell", { shown: false, field: "command", isList: true }),
  ...toAliases("exec_command", { shown: false, field: "cmd", isList: false }).map(toExecCommand),
];

// A program gets the whole output as data, and cuts it itself if it wants to.
function toExecCommand(alias: DialectAlias): DialectAlias {
  if (alias.tool !== "bash") return alias;
  return {
    ...alias,
    inProgram: {
      settings: {},
      toData: (data, _args, { durationMs, given }) => {
        const { output = "", exit_code, signal, job_id: job } = data as CommandData;
        const told = `${output}${describeOddities(data as CommandData)}`;
        const tokens = givenCount(given.max_output_tokens, 1);
        const kept = tokens === undefined ? told : keepEnds(told, tokens * charactersPerToken);
        return leaveOut({
          wall_time_seconds: Math.round(durationMs / 100) / 10,
          exit_code: job === undefined ? toShellCode(exit_code, signal) : undefined,
          job_id: job,
          original_token_count:
            kept === told ? undefined : Math.ceil(told.length / charactersPerToken),
          output: kept,
        });
      },
    },
  };
}

const charactersPerToken = 4;

interface ShellName {
  readonly shown: boolean;
  readonly field: "command" | "cmd";
  readonly isList: boolean;
}

function toAliases(name: string, { shown, field, isList }: ShellName): DialectAlias[] {
  const parameters = toParameters(field, isList);
  const patchOf = (given: Given): string | undefined =>
    findPatch(given[field], givenText(given.workdir));
  return [
    {
      name,
      tool: "bash",
      hidden: !shown,
      description: [
        "Runs a command with bash, waits for it, and returns exit code, duration and output.",
        "Set workdir instead of using cd: nothing persists between calls.",
        "There is no terminal and no input. Processes that a command leaves running are stopped. For servers use `job_start`.",
        "To change files use `apply_patch`.",
      ].join(" "),
      parameters,
      settings: { head_bytes: 20_000, tail_bytes: 20_000 },
      suits: (given) => patchOf(given) === undefined,
      toArguments: (given) =>
        leaveOut({
          command: toCommandLine(given[field] as string | readonly string[]),
          cwd: givenText(given.workdir),
          timeout_ms: toTimeout(given.timeout_ms ?? given.timeout),
        }),
      toData: (data, _args, { durationMs, outputPath }) => {
        const { output = "", exit_code, signal, job_id: job } = data as CommandData;
        const seconds = Math.round(durationMs / 100) / 10;
        return [
          job === undefined
            ? `Exit code: ${toShellCode(exit_code, signal)}`
            : `Process running with job ID ${job}`,
          `Wall time: ${seconds} seconds`,
          "Output:",
          `${nameKeptFile(output, outputPath)}${describeOddities(data as CommandData)}`,
        ].join("\n");
      },
    },
    // These models were trained to apply patches with what looks like a command.
    {
      name,
      tool: "apply_patch",
      hidden: true,
      parameters,
      suits: (given) => patchOf(given) !== undefined,
      toArguments: (given) => ({ patch: patchOf(given) }),
      ...(applyPatch.toData === undefined ? {} : { toData: applyPatch.toData }),
    },
  ];
}

function toParameters(field: string, isList: boolean): ObjectSchema {
  const line = { type: "string", minLength: 1 } as const;
  const words = { type: "array", items: { type: "string" }, minItems: 1 } as const;
  return {
    type: "object",
    properties: {
      [field]: isList
        ? { anyOf: [words, line], description: "The words of the command, or a command line." }
        : { ...line, description: "The command line, in bash syntax." },
      workdir: {
        type: "string",
        description: "Directory to run in. Default: the workspace root.",
      },
      timeout_ms: {
        type: "number",
        description: "Time limit in milliseconds. Default: no limit.",
      },
    },
    required: [field],
  };
}

const maxMs = 24 * 60 * 60 * 1000;

function toTimeout(given: unknown): number | undefined {
  const timeout = givenCount(given, 1);
  return timeout === undefined ? undefined : Math.min(maxMs, timeout);
}

// A shell reports a signal as 128 plus its number.
function toShellCode(code: number | null | undefined, signal: string | undefined): number {
  const exit = toExitCode(code, signal);
  return exit < 0 ? 128 - exit : exit;
}

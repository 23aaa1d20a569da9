import type { TerminalHandle } from "@agentclientprotocol/sdk";
import type { CommandOutput } from "@haft/contract";
import { type CommandResult, type CommandRun, type Shell, ToolError } from "@haft/contract";
import { utf8Head, utf8Length, utf8Tail } from "@haft/contract/internal";
import type { RunScope } from "@haft/core";
import type { AcpClient } from "../acp-client.ts";
import { toErrorLine } from "../to-error-line.ts";
import { type TerminalEnd, waitForTerminal } from "./wait-for-terminal.ts";

/** How commands run in a client. */
export interface ShellDelegation {
  readonly client: Pick<AcpClient, "createTerminal">;
  /** Checks a command. Returns its directory in the client's spelling, or throws a `ToolError`. */
  judge(run: CommandRun, scope: RunScope): Promise<string>;
  /** Called when the terminal is created. */
  noteTerminal(callId: string, terminalId: string): void;
}

const defaultKeep = { head: 100 * 1024, tail: 100 * 1024 };

// The client sends the whole output in one message.
const maxOutputBytes = 4 * 1024 * 1024;

// Keeps programs from opening a pager or an editor, or waiting for input.
const environment = Object.entries({
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  DEBIAN_FRONTEND: "noninteractive",
}).map(([name, value]) => ({ name, value }));

/** Creates a shell whose commands run in a terminal of the client. Programs and jobs run locally. */
export function delegateShell(shell: Shell, scope: RunScope, delegation: ShellDelegation): Shell {
  return {
    find: (program, searchFirst) => shell.find(program, searchFirst),
    run: (program) => shell.run(program),
    jobs: shell.jobs,
    execute: async (run) => {
      if (scope.signal.aborted) throw cancelled(scope.signal);
      const cwd = await delegation.judge(run, scope);
      // Commands in the client are outside Haft's sandbox.
      scope.confined("none");
      const terminal = await openTerminal({ command: run.command, cwd }, delegation);
      try {
        delegation.noteTerminal(scope.callId, terminal.id);
        return await follow(terminal, run, scope);
      } finally {
        // The terminal stays visible with the call.
        await terminal.release().catch(() => {});
      }
    },
  };
}

async function openTerminal(
  { command, cwd }: { readonly command: string; readonly cwd: string },
  { client }: ShellDelegation,
): Promise<TerminalHandle> {
  try {
    return await client.createTerminal({
      command: "bash",
      args: ["-c", command],
      cwd,
      env: environment,
      outputByteLimit: maxOutputBytes,
    });
  } catch (error) {
    const words = toErrorLine(error);
    throw new ToolError("failed", `The editor refused to run the command: ${words}`, {
      cause: error,
    });
  }
}

async function follow(
  terminal: TerminalHandle,
  { keep = defaultKeep, timeoutMs }: CommandRun,
  scope: RunScope,
): Promise<CommandResult> {
  const end = await waitForTerminal(terminal, { timeoutMs, signal: scope.signal });
  const { output: printed, truncated } = await terminal.currentOutput().catch((error) => {
    if (end.stop !== undefined) return { output: "", truncated: false };
    throw lost(error);
  });
  const shown = scope.secrets.hide(printed);
  const output = cutOutput(shown, keep);
  if (end.stop !== undefined) throw stopped(end, output.head + output.tail, scope);
  const notes = truncated ? [`Only the end of the output was kept.`] : [];
  if (output.omittedBytes > 0) await keepWhole(shown, scope);
  const { exitCode, signal } = end;
  return {
    exitCode: exitCode ?? undefined,
    ...(signal != null && { signal }),
    output,
    leftRunning: [],
    refusedHosts: [],
    notes,
  };
}

async function keepWhole(text: string, scope: RunScope): Promise<void> {
  try {
    const sidecar = scope.openSidecar();
    await sidecar.write(text);
    await sidecar.end();
  } catch (error) {
    scope.warn(`The whole output could not be stored: ${toErrorLine(error)}`);
  }
}

function stopped({ stop }: TerminalEnd, partial: string, { signal }: RunScope): ToolError {
  if (stop?.kind === "lost") return lost(stop.error);
  if (stop?.kind !== "timeout") return cancelled(signal, partial);
  const seconds = stop.timeoutMs / 1000;
  const sentence = `The command was stopped after its time limit of ${seconds} seconds.`;
  return new ToolError("timeout", sentence, { partial });
}

function cancelled({ reason }: AbortSignal, partial = ""): ToolError {
  const known = ToolError.isInstance(reason) ? reason : undefined;
  const sentence = known?.message ?? "The command was stopped: the call was aborted.";
  return new ToolError(known?.code ?? "cancelled", sentence, partial === "" ? {} : { partial });
}

function lost(error: unknown): ToolError {
  return new ToolError("unavailable", `The editor's terminal was lost: ${toErrorLine(error)}`, {
    cause: error,
  });
}

/** Cuts an output to its beginning and end. */
function cutOutput(
  text: string,
  keep: { readonly head: number; readonly tail: number },
): CommandOutput {
  const totalBytes = utf8Length(text);
  if (totalBytes <= keep.head + keep.tail) {
    return { head: text, tail: "", omittedBytes: 0, totalBytes };
  }
  const head = utf8Head(text, keep.head);
  const tail = utf8Tail(text.slice(head.length), keep.tail);
  const omittedBytes = totalBytes - utf8Length(head) - utf8Length(tail);
  return { head, tail, omittedBytes, totalBytes };
}

import type { TerminalHandle } from "@agentclientprotocol/sdk";
import { type CommandResult, type CommandRun, type Shell, ToolError } from "@haft/contract";
import type { RunScope } from "@haft/core";
import type { AcpClient } from "../acp-client.ts";
import { wordsOf } from "../words-of.ts";
import { cutOutput } from "./terminal-output.ts";
import { type TerminalEnd, waitForTerminal } from "./wait-for-terminal.ts";

/** How commands go through a client. */
export interface ShellDelegation {
  readonly client: Pick<AcpClient, "createTerminal">;
  /** Judges a command and where it starts: the directory as the client knows it, or a `ToolError`. */
  judge(run: CommandRun, scope: RunScope): Promise<string>;
  /** Is told of the terminal as soon as there is one. */
  noteTerminal(callId: string, terminalId: string): void;
}

const defaultKeep = { head: 100 * 1024, tail: 100 * 1024 };

// The client sends all that it kept in one message.
const mostOutputBytes = 4 * 1024 * 1024;

// So that nothing opens a pager or an editor, or waits for a person in another way.
const environment = Object.entries({
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  DEBIAN_FRONTEND: "noninteractive",
}).map(([name, value]) => ({ name, value }));

/** A shell whose command lines run in a terminal of the client; programs and jobs stay here. */
export function delegateShell(shell: Shell, scope: RunScope, delegation: ShellDelegation): Shell {
  return {
    find: (program, searchFirst) => shell.find(program, searchFirst),
    run: (program) => shell.run(program),
    jobs: shell.jobs,
    execute: async (run) => {
      if (scope.signal.aborted) throw cancelled(scope.signal);
      const cwd = await delegation.judge(run, scope);
      // What the client runs, nothing of ours confines.
      scope.confined("none");
      const terminal = await openTerminal({ command: run.command, cwd }, delegation);
      try {
        delegation.noteTerminal(scope.callId, terminal.id);
        return await follow(terminal, run, scope);
      } finally {
        // What it shows stays with the call.
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
      outputByteLimit: mostOutputBytes,
    });
  } catch (error) {
    const words = wordsOf(error);
    throw new ToolError("failed", `The editor did not run the command: ${words}`, { cause: error });
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
  const notes = truncated ? [`The terminal kept only the end of the output.`] : [];
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
    scope.warn(`The whole output could not be kept: ${wordsOf(error)}`);
  }
}

function stopped({ stop }: TerminalEnd, partial: string, { signal }: RunScope): ToolError {
  if (stop?.kind === "lost") return lost(stop.error);
  if (stop?.kind !== "timeout") return cancelled(signal, partial);
  const seconds = stop.timeoutMs / 1000;
  const sentence = `The command was stopped after ${seconds} seconds, its time limit.`;
  return new ToolError("timeout", sentence, { partial });
}

function cancelled({ reason }: AbortSignal, partial = ""): ToolError {
  const known = ToolError.isInstance(reason) ? reason : undefined;
  const sentence = known?.message ?? "The command was stopped: the call was aborted.";
  return new ToolError(known?.code ?? "cancelled", sentence, partial === "" ? {} : { partial });
}

function lost(error: unknown): ToolError {
  return new ToolError("unavailable", `The editor's terminal was lost: ${wordsOf(error)}`, {
    cause: error,
  });
}

import { type CommandResult, type CommandRun, ToolError } from "@haft/contract";
import type { RunScope } from "@haft/core";
import { OutputTaker } from "./command-output.ts";
import type { Confiner, ReadyRun, RunRequest } from "./confine-run.ts";
import { joinOutput } from "./join-output.ts";
import { requireUnstopped, stopError } from "./run-stop.ts";
import { type SupervisedEnd, superviseRun } from "./supervise-run.ts";
import { watchForPrompt } from "./watch-for-prompt.ts";

/** A command that may run, and how. */
export interface CommandExecution {
  readonly run: CommandRun;
  readonly request: RunRequest;
  readonly confiner: Confiner;
  /** How long a command has to be silent, and do nothing, before it is taken to wait. */
  readonly silenceMs: number;
}

const what = "The command";
const defaultKeep = { head: 100 * 1024, tail: 100 * 1024 };

/** Runs a command to its end, whatever that is. */
export async function executeCommand(
  execution: CommandExecution,
  scope: RunScope,
): Promise<CommandResult> {
  requireUnstopped(scope.signal, what);
  const { run, request, confiner } = execution;
  const ready = await confiner.prepare(request);
  try {
    const taker = new OutputTaker({
      keep: run.keep ?? defaultKeep,
      filter: scope.secrets.createFilter(),
      openSidecar: () => scope.openSidecar(),
      onOutput: (text) => run.onOutput?.(text),
    });
    return await finish(await runAndSettle({ execution, ready, taker }, scope), scope);
  } finally {
    await ready.close();
  }
}

interface Running {
  readonly execution: CommandExecution;
  readonly ready: ReadyRun;
  readonly taker: OutputTaker;
}

interface Finished extends SupervisedEnd {
  readonly told: Awaited<ReturnType<OutputTaker["end"]>>;
  readonly notes: readonly string[];
  readonly refusedHosts: readonly string[];
}

async function runAndSettle(running: Running, scope: RunScope): Promise<Finished> {
  const { ready, taker } = running;
  const ended = await supervise(running, scope).catch((error: unknown) => ({ error }));
  // Whatever it was: it may have left something behind.
  const notes = await ready.settle();
  const told = await taker.end();
  if ("error" in ended) throw withPartial(ended.error, joinOutput(told.output));
  return { ...ended, told, notes, refusedHosts: ready.refusedHosts() };
}

function supervise(
  { execution, ready, taker }: Running,
  { signal }: RunScope,
): Promise<SupervisedEnd> {
  const { run, confiner, silenceMs } = execution;
  return superviseRun(
    {
      plan: ready.plan,
      broker: confiner.broker,
      streams: { output: (bytes) => taker.take(bytes) },
    },
    {
      signal,
      timeoutMs: run.timeoutMs,
      watch: (launched, stop) =>
        watchForPrompt({ launched, output: taker, silenceMs }, (prompt) =>
          stop({ kind: "prompt", prompt }),
        ),
    },
  );
}

async function finish(finished: Finished, { secrets }: RunScope): Promise<CommandResult> {
  const { end, stop, told, refusedHosts } = finished;
  const { output } = told;
  if (stop !== undefined && stop.kind !== "prompt") {
    throw stopError(stop, { what, left: end.left, partial: joinOutput(output) });
  }
  const notes = [...finished.notes, ...told.notes];
  if (end.survivors.length > 0) {
    const names = end.survivors.map(({ command, pid }) => `${command} (pid ${pid})`).join(", ");
    notes.push(`Could not be ended, and still runs: ${names}.`);
  }
  const result = { output, leftRunning: end.left, refusedHosts, notes };
  if (stop !== undefined) {
    const waitedAt = secrets.hide(stop.prompt);
    return { ...result, exitCode: undefined, signal: "SIGKILL", waitedAt };
  }
  return {
    ...result,
    exitCode: end.exitCode,
    ...(end.signal !== undefined && { signal: end.signal }),
  };
}

function withPartial(error: unknown, partial: string): unknown {
  if (!ToolError.isInstance(error) || partial === "") return error;
  return new ToolError(error.code, error.message, { cause: error, partial });
}

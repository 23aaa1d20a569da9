import { type CommandOutput, type CommandResult, type CommandRun, ToolError } from "@haft/contract";
import type { RunScope } from "@haft/core";
import type { AppliedLayer } from "../layers/plan-layer.ts";
import type { LayeredRun } from "../layers/run-on-layer.ts";
import { explainWithheld } from "./command-environment.ts";
import { OutputTaker } from "./command-output.ts";
import type { Confiner, ReadyRun, RunRequest } from "./confine-run.ts";
import { Detachment } from "./jobs/detachment.ts";
import type { SupervisedJob } from "./jobs/supervised-job.ts";
import { LateErrors } from "./late-errors.ts";
import { requireUnstopped, stopError } from "./run-stop.ts";
import { type SupervisedEnd, superviseRun } from "./supervise-run.ts";
import { watchForPrompt } from "./watch-for-prompt.ts";

/** A command that may run, and how. */
export interface CommandExecution {
  readonly run: CommandRun;
  readonly request: RunRequest;
  readonly confiner: Confiner;
  /** How long a command must be silent and idle before it counts as waiting. */
  readonly silenceMs: number;
  /** The layer that it runs on. Default: it runs on the workspace itself. */
  readonly layered?: LayeredRun | undefined;
  /** Whether it is known to change nothing. */
  readonly readsOnly: boolean;
  /** Takes it over as a job at its time limit; `false` if that is not possible. */
  adopt(command: SupervisedJob): boolean;
}

const what = "The command";
const defaultKeep = { head: 100 * 1024, tail: 100 * 1024 };

/** Runs a command to its end, or to its time limit if it then goes on as a job. */
export function executeCommand(
  execution: CommandExecution,
  scope: RunScope,
): Promise<CommandResult> {
  const { run, request, adopt } = execution;
  let sidecarPath: string | undefined;
  const taker = new OutputTaker({
    keep: run.keep ?? defaultKeep,
    filter: scope.secrets.createFilter(),
    openSidecar: () => {
      const sidecar = scope.openSidecar();
      return {
        ...sidecar,
        end: async () => {
          sidecarPath = await sidecar.end();
          return sidecarPath;
        },
      };
    },
    onOutput: (text) => run.onOutput?.(text),
  });
  if ((run.onTimeout ?? scope.onTimeout) === "stop" || run.timeoutMs === undefined) {
    const errors = run.errorsLast ? new LateErrors(taker) : undefined;
    return runToEnd({ execution, taker, errors }, scope);
  }
  const { promise: detached, resolve } = Promise.withResolvers<CommandResult>();
  const detachment = new Detachment(
    {
      ...{ command: run.command, cwd: request.cwd, adopt },
      // The call's own result could not name the sidecar yet.
      end: () => ended.then((result) => nameSidecar(result, sidecarPath)),
      onDetached: (jobId) => resolve(toDetached(jobId, { execution, taker }, scope)),
    },
    scope,
  );
  const ended = runToEnd({ execution, taker, detachment }, scope);
  return Promise.race([ended, detached]);
}

/** A command on its way. */
interface Running {
  readonly execution: CommandExecution;
  readonly taker: OutputTaker;
  /** Holds standard error back until the end. Default: it comes with the output. */
  readonly errors?: LateErrors | undefined;
  /** Lets it go on as a job at its time limit. Default: it is stopped. */
  readonly detachment?: Detachment;
}

async function runToEnd(running: Running, scope: RunScope): Promise<CommandResult> {
  const { confiner, request, layered } = running.execution;
  try {
    requireUnstopped(scope.signal, what);
    const ready = await confiner.prepare(request);
    try {
      return finish(await runAndSettle(running, ready, scope), running.execution, scope);
    } finally {
      await ready.close();
    }
  } finally {
    await layered?.close();
  }
}

function nameSidecar(result: CommandResult, path: string | undefined): CommandResult {
  if (path === undefined) return result;
  return { ...result, notes: [...result.notes, `The complete output is in ${path}.`] };
}

/** The result of a command that goes on as a job. */
function toDetached(jobId: string, { execution, taker }: Running, scope: RunScope): CommandResult {
  const { layered, readsOnly } = execution;
  // On a layer it has not changed anything yet.
  const changes = layered !== undefined || readsOnly ? [] : undefined;
  scope.commandEnded(changes);
  return {
    ...{ exitCode: undefined, jobId, output: taker.soFar },
    ...{ leftRunning: [], refusedHosts: [], notes: [] },
    ...(changes !== undefined && { changes }),
  };
}

interface Finished extends SupervisedEnd {
  readonly told: Awaited<ReturnType<OutputTaker["end"]>>;
  readonly notes: readonly string[];
  readonly refusedHosts: readonly string[];
  readonly applied: AppliedLayer | undefined;
}

async function runAndSettle(running: Running, ready: ReadyRun, scope: RunScope): Promise<Finished> {
  const { execution, taker, errors, detachment } = running;
  const { layered, readsOnly } = execution;
  // Told at once: the call does not wait long for a command that is slow to end.
  const tell = (): void => scope.warn(discarded);
  if (layered !== undefined && !readsOnly) scope.signal.addEventListener("abort", tell);
  const ended = await supervise(running, ready, scope).catch((error: unknown) => ({ error }));
  scope.signal.removeEventListener("abort", tell);
  const isCancelled = layered !== undefined && scope.signal.aborted;
  const isDropped = readsOnly || isCancelled || detachment?.isDiscarded;
  const applied = isDropped ? nothingChanged : await layered?.apply();
  scope.commandEnded(applied?.changes, applied?.discarded?.changes);
  // Even a failed command may have left something behind.
  const notes = [...(applied?.notes ?? []), ...(await ready.settle())];
  notes.push(...((await errors?.release()) ?? []));
  const told = await taker.end();
  if ("error" in ended) throw withPartial(ended.error, joinOutput(told.output));
  return { ...ended, told, notes, refusedHosts: ready.refusedHosts(), applied };
}

// A cancelled call is one whose effects are no longer wanted, and how far it came is not known.
const discarded = "The command was cancelled. What it had changed was discarded.";
const nothingChanged: AppliedLayer = { changes: [], notes: [] };

function supervise(
  { execution, taker, errors, detachment }: Running,
  ready: ReadyRun,
  { signal }: RunScope,
): Promise<SupervisedEnd> {
  const { run, confiner, silenceMs } = execution;
  return superviseRun(
    {
      plan: ready.plan,
      broker: confiner.broker,
      streams: {
        output: (bytes) => {
          detachment?.take(bytes);
          return taker.take(bytes);
        },
        ...(errors !== undefined && { errors: (bytes: Buffer) => errors.take(bytes) }),
      },
    },
    {
      signal,
      timeoutMs: run.timeoutMs,
      onTimeout: (launched) => {
        const isDetached = detachment?.detach(launched) ?? false;
        if (isDetached) ready.keepAlive(false);
        return isDetached;
      },
      watch: (launched, stop) =>
        watchForPrompt({ launched, output: taker, silenceMs }, (prompt) =>
          stop({ kind: "prompt", prompt }),
        ),
    },
  );
}

function finish(
  finished: Finished,
  { run, request }: CommandExecution,
  { secrets }: RunScope,
): CommandResult {
  const { end, stop, told, refusedHosts } = finished;
  const { output } = told;
  if (stop !== undefined && stop.kind !== "prompt") {
    throw stopError(stop, { what, left: end.left, partial: joinOutput(output) });
  }
  const notes = [...finished.notes, ...told.notes];
  if (end.survivors.length > 0) {
    const names = end.survivors.map(({ command, pid }) => `${command} (pid ${pid})`).join(", ");
    notes.push(`Could not be ended and still running: ${names}.`);
  }
  const withheld =
    end.exitCode === 0 ? undefined : explainWithheld(run.command, request.environment);
  if (withheld !== undefined) notes.push(withheld);
  const { notes: _, conflicts: __, ...changed } = finished.applied ?? {};
  const result = { output, leftRunning: end.left, refusedHosts, notes, ...changed };
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

/** Joins an output to one text, which says what is missing. */
function joinOutput({ head, tail, omittedBytes }: CommandOutput): string {
  if (omittedBytes === 0) return head + tail;
  const gap = `[… ${omittedBytes} bytes omitted …]`;
  return `${head}${head === "" || head.endsWith("\n") ? "" : "\n"}${gap}\n${tail}`;
}

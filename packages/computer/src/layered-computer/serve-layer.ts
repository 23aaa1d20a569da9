import type { CommandRun } from "@haft/contract";
import type { Journal } from "@haft/core";
import { createComputerOnLayer, type DiskComputer } from "../disk/disk-computer.ts";
import type {
  Answer,
  LayerProcessOptions,
  MessageFromLayer,
  MessageToLayer,
  RemoteParts,
  RemoteRequest,
} from "./messages.ts";
import { askAndWait, questionDescriptor } from "./question-line.ts";
import { ReadingJudge } from "./reading-judge.ts";
import { fromRemoteError, toRemoteError } from "./remote-error.ts";
import { type Ask, openRemoteScope, reportBases } from "./remote-scope.ts";

/**
 * Serves the files and programs of a workspace to the Haft that started this process. The process sees
 * the workspace with a layer over it, and so does everything that it starts.
 */
export function serveLayer(): void {
  const running = new Map<number, AbortController>();
  let opened: OpenedLayer | undefined;
  const reply = (message: MessageFromLayer): void => void process.send?.(message);
  const serve = async (request: RemoteRequest): Promise<void> => {
    const { id } = request;
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const value = await perform(request, opened as OpenedLayer, controller.signal);
      reply({ id, value });
    } catch (error) {
      reply({ id, error: toRemoteError(error) });
    } finally {
      running.delete(id);
    }
  };
  process.on("message", (message: MessageToLayer) => {
    if (message.type === "open") {
      opened = openLayer(message.options);
      reply({ id: 0, value: undefined });
    } else if (message.type === "request") void serve(message);
    else running.get(message.id)?.abort(fromRemoteError(message.reason));
  });
  // Haft is gone, so the layer is not needed. With this process everything ends that it started.
  process.on("disconnect", () => process.exit());
}

interface OpenedLayer {
  readonly computer: DiskComputer;
  /** Undoes changes on the layer. */
  readonly journal: Journal;
  /** The paths that were changed. */
  readonly changed: Set<string>;
}

function openLayer({ computer: options, directory }: LayerProcessOptions): OpenedLayer {
  const computer = createComputerOnLayer(options, directory);
  return { computer, journal: computer.openSession("layer").journal, changed: new Set() };
}

async function perform(
  request: RemoteRequest,
  { computer, journal, changed }: OpenedLayer,
  signal: AbortSignal,
): Promise<unknown> {
  const { id, part, method, args } = request;
  const ask: Ask = (method, ...args) => {
    const answer = askAndWait(questionDescriptor, { id, method, args }) as Answer | undefined;
    // Haft is gone.
    if (answer === undefined) process.exit();
    if ("error" in answer) throw fromRemoteError(answer.error);
    return answer.value as never;
  };
  const own = reportBases(journal, changed, ask);
  const reading = new ReadingJudge((paths) => ask("judgeReading", paths));
  const scope = openRemoteScope(request, { ask, journal: own, signal, reading });
  if (part === "shell" || part === "jobs") await computer.prepareShell();
  const shell = computer.openShell(scope);
  const files = computer.openFiles(scope);
  const parts: RemoteParts = {
    files: {
      ...files,
      findFiles: (query) => reading.search(() => files.findFiles(query)),
      findText: (query) => reading.search(() => files.findText(query)),
    },
    shell: {
      ...shell,
      execute: (run: CommandRun) =>
        shell.execute({ ...run, onOutput: (text) => ask("output", text) }),
    },
    jobs: shell.jobs,
    history: own,
  };
  const target = parts[part] as unknown as Record<string, (...args: readonly unknown[]) => unknown>;
  return target[method]?.(...args);
}

import { existsSync, mkdirSync, renameSync } from "node:fs";
import { basename, join } from "node:path";
import { compileRequirements, type FileSystem, type Shell, ToolError } from "@haft/contract";
import { isInside, toErrorMessage } from "@haft/contract/internal";
import type { CallScope, Computer, RunScope } from "@haft/core";
import { createSecrets } from "@haft/core/internal";
import type { DiskComputerOptions } from "../disk/disk-computer-options.ts";
import { makeOwned } from "../layers/layer.ts";
import { type LayerContext, type LayeredRun, openLayeredRun } from "../layers/run-on-layer.ts";
import { findExecutable } from "../sandbox/linux/find-executable.ts";
import { brokerStartFor } from "../sandbox/open-sandbox.ts";
import { pickEnvironment } from "../shell/command-environment.ts";
import type { Confinement } from "../shell/confine-run.ts";
import { examineSandbox } from "../shell/examine-sandbox.ts";
import { quietScope } from "../shell/quiet-scope.ts";
import { type LayerProcess, startLayerProcess } from "./layer-process.ts";
import type { AppliedComputerLayer, LayeredComputer, LayerScope } from "./layered-computer.ts";
import { type RemoteParts, remoteMethods } from "./messages.ts";

/** The computer whose workspace lies below a layer. */
export interface LayeredComputerContext {
  readonly computer: Computer;
  /** Its options, all paths absolute. */
  readonly options: DiskComputerOptions;
  readonly confinement: Confinement;
  readonly layers: LayerContext;
}

/**
 * Opens a computer that works on a layer over the workspace. A process of ours does the work, in a mount
 * namespace where the layer lies over the workspace. Grants, rules, secrets and the network stay here.
 * Layer and process are made on first use.
 */
export async function openLayeredComputer(
  scope: LayerScope,
  context: LayeredComputerContext,
): Promise<LayeredComputer> {
  const perl = await requireLayers(context.confinement);
  let opening: Promise<WorkedLayer> | undefined;
  let isClosed = false;
  const use = async (): Promise<WorkedLayer> => {
    if (isClosed) throw new ToolError("unavailable", "The layer of this session was applied.");
    opening ??= openLayer(perl, scope, context);
    return opening;
  };
  return {
    computer: putOnLayer(context.computer, scope, use),
    apply: async () => {
      isClosed = true;
      // If it could not be opened, the calls that used it got the error.
      const opened = await opening?.catch(() => undefined);
      if (opened === undefined) return { changes: [], conflicts: [], notes: [] };
      await opened.process.end();
      return inTurn(() => apply(opened.run, context.layers));
    },
  };
}

/** A layer and the process that works on it. */
interface WorkedLayer {
  readonly run: LayeredRun;
  readonly process: LayerProcess;
}

async function openLayer(
  perl: string,
  scope: LayerScope,
  { options, layers, confinement }: LayeredComputerContext,
): Promise<WorkedLayer> {
  const about = { author: "subagent", applies: "all" } as const;
  const run = openLayeredRun(confinement.place.roots, toRunScope(scope), {
    ...layers,
    perl,
    ...about,
  });
  try {
    const directory = join(run.layer.directory, "own");
    makeOwned(directory, run.layer.directory, 0o700);
    const { prefix } = brokerStartFor(confinement.place);
    const environment = pickEnvironment(process.env, options.passVariables);
    const start = { prefix, perl, layer: run.layer, directory, environment };
    // For root it is a user without rights, who can't open root's state.
    const own = prefix.length === 0 ? options : { ...options, stateDirectory: directory };
    return { run, process: await startLayerProcess({ ...start, computer: own }) };
  } catch (error) {
    await run.close();
    throw error;
  }
}

/** Returns the path of Perl if the workspace can have layers. */
async function requireLayers({ mode, place }: Confinement): Promise<string> {
  const refuse = (reason: string, remedy: string): ToolError =>
    new ToolError("unavailable", `No layer over the workspace is available: ${reason}. ${remedy}`);
  if (mode === "off") {
    throw refuse("the sandbox is turned off", "Start Haft without --sandbox=off.");
  }
  const { layers, reason, remedy } = await examineSandbox(place);
  if (layers?.isAvailable) return findExecutable("perl", place) as string;
  throw refuse(layers?.reason ?? reason ?? "", layers?.remedy ?? remedy ?? "");
}

/** A scope without a call of its own, which may do nothing unless `scope` says so. */
function toRunScope(scope: Partial<LayerScope> = {}): RunScope {
  return {
    callId: "",
    journal: { record: () => undefined, latest: async () => [] },
    changed: () => {},
    isChangeDenied: () => true,
    ...scope,
    // What a session may touch can change.
    get grant() {
      return scope.grant ?? compileRequirements({}, {});
    },
    session: "",
    isDenied: () => true,
    isNamed: () => false,
    signal: new AbortController().signal,
    secrets: createSecrets({}),
    confined: () => {},
    // Every call on the layer was judged by itself.
    ...quietScope,
    fileRules: () => undefined,
    commandEnded: () => {},
    openSidecar: () => {
      throw new TypeError("A layer has no output.");
    },
    warn: () => {},
  };
}

function putOnLayer(
  computer: Computer,
  { callId, journal }: LayerScope,
  use: () => Promise<WorkedLayer>,
): Computer {
  const call = async (
    request: Parameters<LayerProcess["request"]>[0],
    scope: RunScope,
    output?: (text: string) => void,
  ): Promise<unknown> => {
    const { run, process } = await use();
    return process.request(request, scope, { base: run.addBase, ...(output && { output }) });
  };
  const open = <Part extends keyof RemoteParts>(part: Part, scope: RunScope): RemoteParts[Part] => {
    const methods = Object.keys(remoteMethods[part]).map((method) => [
      method,
      (...args: readonly unknown[]) => call({ part, method, args }, scope),
    ]);
    return Object.fromEntries(methods) as RemoteParts[Part];
  };
  return {
    ...computer,
    // No other session sees these files.
    space: {},
    holdFiles: () => undefined,
    // The process on the layer would stand still while a person is asked.
    canReview: async () => false,
    get shellIsolation() {
      return computer.shellIsolation;
    },
    openFiles: (scope): FileSystem => {
      // Files need nothing else of a scope.
      const files = open("files", scope as CallScope as RunScope);
      // What lies outside the workspace, such as sidecars, is on no layer. It is changed at once.
      const outside = computer.openFiles({ ...scope, callId, journal });
      const find = (path: string): RemoteParts["files"] => {
        const asked = computer.resolve(path);
        return computer.roots.some((root) => isInside(root, asked)) ? files : outside;
      };
      return {
        ...files,
        resolve: (path) => computer.resolve(path),
        stat: (path) => find(path).stat(path),
        read: (path, window) => find(path).read(path, window),
        load: (path) => find(path).load(path),
        list: (path) => find(path).list(path),
        write: (path, content, options) => find(path).write(path, content, options),
        splice: (path, splices, loaded) => find(path).splice(path, splices, loaded),
        remove: (path) => find(path).remove(path),
        findFiles: (query) => find(query.directory).findFiles(query),
        findText: (query) => find(query.path).findText(query),
      };
    },
    openShell: (scope): Shell => ({
      ...open("shell", scope),
      execute: ({ onOutput, ...command }) =>
        call(
          // A command can't go on after its call, because the layer may be applied by then.
          { part: "shell", method: "execute", args: [{ ...command, onTimeout: "stop" }] },
          scope,
          onOutput,
        ) as ReturnType<Shell["execute"]>,
      jobs: open("jobs", scope),
    }),
    openSession: (name) => {
      const { latest } = open("history", toRunScope());
      // Changes are recorded on the layer.
      return { ...computer.openSession(name), journal: { latest, record: () => undefined } };
    },
  };
}

async function apply(
  run: LayeredRun,
  { stateDirectory }: LayerContext,
): Promise<AppliedComputerLayer> {
  const { directory, roots } = run.layer;
  const kept = join(stateDirectory, "kept", basename(directory));
  let outcome: AppliedComputerLayer;
  try {
    const { changes, notes, conflicts = [] } = await run.apply();
    outcome = { changes, notes, conflicts, ...(existsSync(kept) && { keptAt: kept }) };
  } catch (error) {
    mkdirSync(kept, { recursive: true, mode: 0o700 });
    for (const [index, { upper }] of roots.entries()) {
      renameSync(upper, join(kept, `layer-${index}`));
    }
    const why = toErrorMessage(error);
    const note = `None of the changes was applied: ${why} They are kept at ${kept}, in the format of overlayfs.`;
    outcome = {
      changes: [],
      conflicts: roots.map(({ path }) => path),
      notes: [note],
      keptAt: kept,
    };
  }
  await run.close();
  return outcome;
}

let last: Promise<unknown> = Promise.resolve();

/** Layers that end together are applied one after the other, so that each sees what the others changed. */
function inTurn<Value>(act: () => Promise<Value>): Promise<Value> {
  const turn = last.then(act);
  last = turn.catch(() => {});
  return turn;
}

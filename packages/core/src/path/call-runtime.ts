import {
  type ChangeHistory,
  type FileSystem,
  type Grant,
  type GrantLocations,
  type JsonValue,
  type Net,
  type Progress,
  type Runtime,
  type RuntimeHost,
  type RuntimeSession,
  type Shell,
  type ToolCatalog,
  ToolError,
} from "@haft/contract";
import type { Release, RunScope } from "../computer.ts";
import type { DialectAlias } from "../dialects/dialect.ts";
import { toRoomSettings } from "../output/fit-data.ts";
import type { FileLock } from "../schedule/file-locks.ts";
import type { SidecarWriter } from "../session/session-storage.ts";
import type { Call } from "./call.ts";
import { describeCall } from "./call-events.ts";
import type { CallContext } from "./context.ts";
import { openToRead } from "./open-to-read.ts";
import { isChangeDenied, reviewEffects } from "./review/review-effects.ts";

/** The runtime of one call. Each part is created when the tool first uses it. */
export class CallRuntime implements Runtime {
  readonly #call: Call;
  readonly #context: CallContext;
  #fs: FileSystem | undefined;
  #shell: Shell | undefined;
  #net: Net | undefined;

  constructor(call: Call, context: CallContext) {
    this.#call = call;
    this.#context = context;
  }

  get callId(): string {
    return this.#call.id;
  }

  get fs(): FileSystem {
    this.#fs ??= openFiles(this.#call, this.#context);
    return this.#fs;
  }

  get shell(): Shell {
    this.#shell ??= this.#context.computer.openShell(openScope(this.#call, this.#context));
    return this.#shell;
  }

  get net(): Net {
    this.#net ??= this.#context.computer.openNet(openScope(this.#call, this.#context));
    return this.#net;
  }

  get history(): ChangeHistory {
    return this.#context.journal;
  }

  get settings(): Readonly<Record<string, JsonValue>> {
    const { alias, limit } = this.#call;
    const settings = (alias as DialectAlias | undefined)?.settings ?? noSettings;
    return limit === undefined ? settings : { ...settings, ...toRoomSettings(limit) };
  }

  get tools(): ToolCatalog {
    return this.#context.catalog;
  }

  get session(): RuntimeSession {
    return this.#context.runtimeSession;
  }

  get host(): RuntimeHost {
    return this.#context.runtimeHost(this.#call);
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  /** Reports a file that the tool changed by itself. Not part of what tools are given. */
  noteChanged(path: string): void {
    this.#call.addChanged(this.#context.computer.resolve(path));
  }

  // Bound to this object, because tools destructure their runtime: `async (args, { fs, progress }) => …`.
  get progress(): Runtime["progress"] {
    return (progress = {}) => reportProgress(this.#call, progress, this.#context);
  }
}

function reportProgress(call: Call, progress: Progress, context: CallContext): void {
  if (call.ended) return;
  call.expiresAt = context.clock.monotonic() + call.timeoutMs;
  if (context.events.hears("tool:progress")) {
    const shown = context.secrets.hideInData(progress);
    context.events.emit("tool:progress", { ...describeCall(call, context), progress: shown });
  }
}

const noSettings: Readonly<Record<string, JsonValue>> = {};

function openFiles(call: Call, context: CallContext): FileSystem {
  const { computer } = context;
  const { fs } = call.tool.requires;
  const goesDeep = call.subjects.some(({ tree }) => tree);
  const isPlain = fs?.write === undefined && !goesDeep;
  if (isPlain && context.rules().allowsEveryFile(call.tool, "read")) {
    return openToRead(call.grant, computer);
  }
  return computer.openFiles(openScope(call, context));
}

/** Returns what the computer may know about a call. */
export function openScope(call: Call, context: CallContext): RunScope {
  if (context.changesOf === undefined) noteCall(call.owner, context);
  const grant = new LivingGrant(call, (host) => isClosed(host, call, context));
  return {
    callId: context.changesOf?.callId ?? call.owner.id,
    session: context.storage.name,
    grant,
    journal: context.journal,
    changed: (path) => {
      call.addChanged(path);
      context.changesOf?.changed(path);
    },
    isDenied: (path, mode) => context.rules().denies(call.tool, path, mode),
    isNamed: (path) => context.rules().names(call.tool, path),
    secrets: context.secrets,
    confined: (isolation) => {
      // The least confined program counts.
      if (call.isolation !== "none") call.isolation = isolation;
    },
    isChangeDenied: (path) => isChangeDenied(path, context),
    isReviewed: call.isReviewed,
    reviewEffects: (effects) => reviewEffects(effects, call, context),
    fileRules: () => context.rules().fileRules(),
    commandEnded: (changes, discarded) => {
      // A call may run several commands.
      const earlier = call.isReversible === undefined ? [] : call.commandChanges;
      const all = earlier && changes && [...earlier, ...changes];
      call.isReversible = all?.every(({ undoable }) => undoable) ?? false;
      const { within } = call;
      if (within !== undefined) {
        within.isReversible = call.isReversible && within.isReversible !== false;
      }
      call.commandChanges = all;
      call.discardedChanges = discarded ?? call.discardedChanges;
    },
    onTimeout: context.onTimeout,
    outlive: (command) => {
      grant.outlive(command.ended);
      const discard = (): Promise<void> => {
        // A question about its changes that is still open needs no answer.
        call.abort(new ToolError("cancelled", "The session ended."));
        return command.discard();
      };
      context.background.add({ ...command, discard });
    },
    jobEnded: (job) => context.background.ended(job),
    jobSeen: (id) => context.background.seen(id),
    holdFiles: (paths) => holdFiles(paths, call, context),
    openSidecar: () => openSidecar(call, context),
    warn: (message) => {
      call.warnings ??= [];
      if (!call.warnings.includes(message)) call.warnings.push(message);
    },
    get signal() {
      return call.signal;
    },
  };
}

// Not aborted with the call: what waits for the files has to be finished. What the call holds already
// is its own.
async function holdFiles(
  paths: readonly string[],
  call: Call,
  { computer, fileLocks }: CallContext,
): Promise<Release> {
  const holder = { signal: neverAborted };
  const held = call.ended ? [] : (call.locks ?? []);
  const own = new Set(held.flatMap(({ key }) => [key, computer.identify(key)]));
  const all = new Set(paths.flatMap((path) => [path, computer.identify(path)]));
  const names = [...all].filter((name) => !own.has(name));
  const locks = names.map((key): FileLock => ({ key, mode: "write" }));
  await fileLocks.acquire(locks, holder);
  try {
    const release = await computer.holdFiles(names, holder);
    return () => {
      release?.();
      fileLocks.release(locks);
    };
  } catch (error) {
    fileLocks.release(locks);
    throw error;
  }
}

// The journal lists changes by the calls that made them.
function noteCall(call: Call, { journal, secrets }: CallContext): void {
  if (journal.noteCall === undefined) return;
  const { command, path, code } = call.args as Record<string, unknown>;
  const about = [command, path, code].find((value) => typeof value === "string") ?? "";
  const title = about.slice(0, maxTitle);
  journal.noteCall(call.id, { tool: call.tool.id, title: secrets.hide(title) });
}

const maxTitle = 200;

function openSidecar(call: Call, { storage }: CallContext): SidecarWriter {
  const sidecar = storage.sidecars.open(call.id);
  return {
    ...sidecar,
    end: async () => {
      call.outputPath = await sidecar.end();
      return call.outputPath;
    },
  };
}

const neverAborted = new AbortController().signal;

// The rules were checked for the named host; a redirect may lead to a host that a rule denies.
function isClosed(host: string, call: Call, context: CallContext): boolean {
  if (call.subjects.some(({ type, key }) => type === "host" && key === host)) return false;
  const subject = { type: "host", key: host, mode: "read", tree: false } as const;
  const { action, decidedBy } = context.rules().judge(call.tool, [subject]);
  return action !== "allow" && decidedBy !== undefined;
}

/**
 * The call's grant, valid until the call ends. A tool that keeps running after its time limit must not
 * interfere with later calls.
 */
class LivingGrant implements Grant {
  readonly #call: Call;
  readonly #isClosed: (host: string) => boolean;
  #isFinishing = false;

  constructor(call: Call, isClosed: (host: string) => boolean) {
    this.#call = call;
    this.#isClosed = isClosed;
  }

  /** Allows changes to be applied until then, even if the call has ended. */
  outlive(end: Promise<void>): void {
    this.#isFinishing = true;
    void end.then(() => {
      this.#isFinishing = false;
    });
  }

  mayRead(path: string): boolean {
    return !this.#call.ended && this.#call.grant.mayRead(path);
  }

  mayWrite(path: string): boolean {
    return (!this.#call.ended || this.#isFinishing) && this.#call.grant.mayWrite(path);
  }

  mayReach(host: string): boolean {
    return !this.#call.ended && this.#call.grant.mayReach(host) && !this.#isClosed(host);
  }

  mayRun(argv: readonly string[]): boolean {
    return !this.#call.ended && this.#call.grant.mayRun(argv);
  }

  has(capability: string): boolean {
    return !this.#call.ended && this.#call.grant.has(capability);
  }

  get places(): GrantLocations {
    return this.#call.grant.places;
  }
}

import type {
  ChangeHistory,
  FileSystem,
  Grant,
  GrantPlaces,
  JsonValue,
  Net,
  Progress,
  Runtime,
  RuntimeHost,
  RuntimeSession,
  Shell,
  ToolCatalog,
} from "@haft/contract";
import type { Computer, RunScope } from "../computer.ts";
import type { DialectAlias } from "../dialects/dialect.ts";
import type { SidecarWriter } from "../session/session-storage.ts";
import type { Call } from "./call.ts";
import { describeCall } from "./call-events.ts";
import type { CallContext } from "./context.ts";

/** What one call may touch while it runs. Each part is made when the tool first reaches for it. */
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
    return (this.#call.alias as DialectAlias | undefined)?.settings ?? noSettings;
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

  // Bound to this object: tools take their runtime apart, `async (args, { fs, progress }) => …`.
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
  if (fs?.write === undefined && !goesDeep) return openToRead(call.grant, computer);
  return computer.openFiles(openScope(call, context));
}

function openScope(call: Call, context: CallContext): RunScope {
  return {
    callId: context.changesOf?.callId ?? call.id,
    session: context.storage.name,
    grant: new LivingGrant(call, (host) => isClosed(host, call, context)),
    journal: context.journal,
    changed: (path) => {
      call.addChanged(path);
      context.changesOf?.changed(path);
    },
    isDenied: (path, mode) => context.rules().denies(call.tool, path, mode),
    isNamed: (path) => context.rules().names(call.tool, path),
    secrets: context.secrets,
    confined: (isolation) => {
      // What was least confined is what counts.
      if (call.isolation !== "none") call.isolation = isolation;
    },
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

const readable = new WeakMap<Grant, FileSystem>();

const neverAborted = new AbortController().signal;

// What can't change anything has nothing of its own to keep: it serves all calls with this grant.
function openToRead(grant: Grant, computer: Computer): FileSystem {
  let files = readable.get(grant);
  if (files === undefined) {
    files = computer.openFiles({
      callId: "",
      grant: { ...grant, mayWrite: () => false },
      journal: { record: () => {}, latest: async () => [] },
      changed: () => {},
      isDenied: () => false,
      isNamed: () => false,
      signal: neverAborted,
    });
    readable.set(grant, files);
  }
  return files;
}

// The call was judged by the host that it named; a redirect may lead to one that a rule closes.
function isClosed(host: string, call: Call, context: CallContext): boolean {
  if (call.subjects.some(({ type, key }) => type === "host" && key === host)) return false;
  const subject = { type: "host", key: host, mode: "read", tree: false } as const;
  const { action, decidedBy } = context.rules().judge(call.tool, [subject]);
  return action !== "allow" && decidedBy !== undefined;
}

/**
 * The call's grant for as long as the call lives. A tool that goes on after its time is up must not
 * write behind the back of those that follow.
 */
class LivingGrant implements Grant {
  readonly #call: Call;
  readonly #isClosed: (host: string) => boolean;

  constructor(call: Call, isClosed: (host: string) => boolean) {
    this.#call = call;
    this.#isClosed = isClosed;
  }

  mayRead(path: string): boolean {
    return !this.#call.ended && this.#call.grant.mayRead(path);
  }

  mayWrite(path: string): boolean {
    return !this.#call.ended && this.#call.grant.mayWrite(path);
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

  get places(): GrantPlaces {
    return this.#call.grant.places;
  }
}

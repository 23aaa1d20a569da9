import type {
  ChangeHistory,
  FileSystem,
  Grant,
  JsonValue,
  Progress,
  Runtime,
  RuntimeHost,
  RuntimeSession,
  Shell,
} from "@haft/contract";
import type { CallScope, Computer } from "../computer.ts";
import type { DialectAlias } from "../dialects/dialect.ts";
import type { Call } from "./call.ts";
import { describeCall } from "./call-events.ts";
import type { CallContext } from "./context.ts";

/** What one call may touch while it runs. Each part is made when the tool first reaches for it. */
export class CallRuntime implements Runtime {
  readonly #call: Call;
  readonly #context: CallContext;
  #fs: FileSystem | undefined;
  #shell: Shell | undefined;

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

  get history(): ChangeHistory {
    return this.#context.storage.journal;
  }

  get settings(): Readonly<Record<string, JsonValue>> {
    return (this.#call.alias as DialectAlias | undefined)?.settings ?? noSettings;
  }

  get session(): RuntimeSession {
    return this.#context.runtimeSession;
  }

  get host(): RuntimeHost {
    return this.#context.runtimeHost(this.#call.signal);
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
    context.events.emit("tool:progress", { ...describeCall(call, context), progress });
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

function openScope(call: Call, context: CallContext): CallScope {
  return {
    callId: call.id,
    grant: new LivingGrant(call),
    journal: context.storage.journal,
    changed: (path) => {
      call.changedFiles ??= [];
      if (!call.changedFiles.includes(path)) call.changedFiles.push(path);
    },
    isDenied: (path, mode) => context.rules().denies(call.tool, path, mode),
    isNamed: (path) => context.rules().names(call.tool, path),
    get signal() {
      return call.signal;
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

/**
 * The call's grant for as long as the call lives. A tool that goes on after its time is up must not
 * write behind the back of those that follow.
 */
class LivingGrant implements Grant {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  mayRead(path: string): boolean {
    return !this.#call.ended && this.#call.grant.mayRead(path);
  }

  mayWrite(path: string): boolean {
    return !this.#call.ended && this.#call.grant.mayWrite(path);
  }

  mayReach(host: string): boolean {
    return !this.#call.ended && this.#call.grant.mayReach(host);
  }

  mayRun(argv: readonly string[]): boolean {
    return !this.#call.ended && this.#call.grant.mayRun(argv);
  }

  has(capability: string): boolean {
    return !this.#call.ended && this.#call.grant.has(capability);
  }
}

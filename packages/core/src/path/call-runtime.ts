import type {
  FileSystem,
  Grant,
  Progress,
  Runtime,
  RuntimeHost,
  RuntimeSession,
} from "@haft/contract";
import type { Computer } from "../computer.ts";
import type { Journal } from "../session/journal.ts";
import type { Call } from "./call.ts";
import { describeCall } from "./call-events.ts";
import type { CallContext } from "./context.ts";

/** What one call may touch while it runs. Each part is made when the tool first reaches for it. */
export class CallRuntime implements Runtime {
  readonly #call: Call;
  readonly #context: CallContext;
  #fs: FileSystem | undefined;

  constructor(call: Call, context: CallContext) {
    this.#call = call;
    this.#context = context;
  }

  get callId(): string {
    return this.#call.id;
  }

  get fs(): FileSystem {
    this.#fs ??= openFiles(this.#call, this.#context.computer, this.#context.storage.journal);
    return this.#fs;
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

function openFiles(call: Call, computer: Computer, journal: Journal): FileSystem {
  if (call.tool.requires.fs?.write === undefined) return openToRead(call.grant, computer);
  return computer.openFiles({
    callId: call.id,
    grant: new LivingGrant(call),
    journal,
    changed: (path) => {
      call.changedFiles ??= [];
      if (!call.changedFiles.includes(path)) call.changedFiles.push(path);
    },
  });
}

const readable = new WeakMap<Grant, FileSystem>();

// What can't change anything has nothing of its own to keep: it serves all calls with this grant.
function openToRead(grant: Grant, computer: Computer): FileSystem {
  let files = readable.get(grant);
  if (files === undefined) {
    files = computer.openFiles({
      callId: "",
      grant: { ...grant, mayWrite: () => false },
      journal: { record: () => {} },
      changed: () => {},
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

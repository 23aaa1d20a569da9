import {
  type FileSystem,
  type Progress,
  type Runtime,
  type RuntimeHost,
  type RuntimeSession,
  ToolError,
} from "@haft/contract";
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
    this.#fs ??= openFiles(this.#call, this.#context);
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
  readonly progress = (progress: Progress = {}): void => {
    if (this.#call.ended) return;
    this.#call.expiresAt = this.#context.clock.monotonic() + this.#call.timeoutMs;
    if (this.#context.events.hears("tool:progress")) {
      const event = { ...describeCall(this.#call, this.#context), progress };
      this.#context.events.emit("tool:progress", event);
    }
  };
}

function openFiles(call: Call, context: CallContext): FileSystem {
  const files = context.computer.openFiles({
    callId: call.id,
    grant: call.grant,
    journal: context.storage.journal,
    changed: (path) => {
      call.changedFiles ??= [];
      if (!call.changedFiles.includes(path)) call.changedFiles.push(path);
    },
  });
  return revokeWhenEnded(files, call);
}

// A tool that goes on after its time is up must not write behind the back of those that follow.
function revokeWhenEnded(files: FileSystem, call: Call): FileSystem {
  const check = (): void => {
    if (call.ended) throw new ToolError("cancelled", "The call has ended; its files are closed.");
  };
  return {
    resolve: (path) => files.resolve(path),
    stat: async (path) => {
      check();
      return files.stat(path);
    },
    read: async (path, window) => {
      check();
      return files.read(path, window);
    },
    write: async (path, content, options) => {
      check();
      return files.write(path, content, options);
    },
    list: async (path) => {
      check();
      return files.list(path);
    },
    remove: async (path) => {
      check();
      return files.remove(path);
    },
    move: async (from, to) => {
      check();
      return files.move(from, to);
    },
  };
}

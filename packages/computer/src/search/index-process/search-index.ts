import type { FoundText, TextQuery } from "@haft/contract";
import { isInside } from "@haft/contract/internal";
import { type IndexProcess, startIndexProcess } from "./index-process.ts";
import type { IndexMeasure, IndexReply, IndexSizes } from "./messages.ts";
import { createPatience, type Patience } from "./patience.ts";

/** Options of `createSearchIndexes`. */
export interface SearchIndexOptions extends IndexSizes {
  /** Node options for the process that keeps them. */
  readonly execArgv?: readonly string[];
  /** How long after its first use a directory gets an index. Short commands have ended by then. */
  readonly delayMs?: number;
  /** How long an answer may take before ripgrep is used instead. */
  readonly patienceMs?: number;
}

/**
 * Indexes of directories that are searched repeatedly, in a separate process: one that holds much
 * memory takes long to start others.
 */
export interface SearchIndexes {
  /** Finds lines below a root that has an index. `undefined` wherever ripgrep is needed instead. */
  find(query: TextQuery): Promise<FoundText | undefined> | undefined;
  /** Reports a search in a directory, given without links: soon it will have an index. */
  noteUse(root: string): void;
  /** Reports a change that we made at a path. */
  noteChange(path: string): void;
  /** Resolves when the index of a root is ready (true) or impossible (false). */
  whenReady(root: string): Promise<boolean>;
  /** The size of the index of a root; `undefined` if there is no process that keeps any. */
  measure(root: string): Promise<IndexMeasure | undefined>;
  /** Ends the process; further use starts a new one. */
  close(): void;
}

/** Starts with no index and no process. */
export function createSearchIndexes(options: SearchIndexOptions = {}): SearchIndexes {
  return new ProcessIndexes(options);
}

const idleMs = 10 * 60_000;
const maxChanges = 10_000;
const shortestRestMs = 1_000;
const maxRestMs = 5 * 60_000;

interface Root {
  state: "waiting" | "building" | "ready" | "refused";
  /** Paths changed since the last request. */
  changed: string[];
  /** Callbacks that wait until it is ready. */
  waiting: ((isReady: boolean) => void)[];
}

class ProcessIndexes implements SearchIndexes {
  readonly #options: SearchIndexOptions;
  readonly #patience: Patience;
  readonly #roots = new Map<string, Root>();
  readonly #asked = new Map<number, (found: FoundText | undefined) => void>();
  readonly #measuring: ((measure: IndexMeasure | undefined) => void)[] = [];
  #process: IndexProcess | undefined;
  #questions = 0;
  /** How often it ended without having been useful, and until when it is not restarted. */
  #failures = 0;
  #restsUntil = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: SearchIndexOptions) {
    this.#options = options;
    this.#patience = createPatience(options.patienceMs ?? 1_500, () => this.#process?.kill());
  }

  find(query: TextQuery): Promise<FoundText | undefined> | undefined {
    const root = this.#rootOf(query.path);
    const known = root === undefined ? undefined : this.#roots.get(root);
    // A process that is busy with an earlier request would only delay this one.
    if (root === undefined || known?.state !== "ready" || this.#patience.isTried) return undefined;
    this.#touch();
    const id = this.#questions++;
    const changed = known.changed;
    known.changed = [];
    const { promise, resolve } = Promise.withResolvers<FoundText | undefined>();
    this.#asked.set(id, resolve);
    this.#patience.begin(id, () => resolve(undefined));
    this.#process?.send({ type: "find", id, root, query, changed });
    this.#keepAlive();
    return promise;
  }

  noteUse(root: string): void {
    this.#touch();
    if (this.#roots.has(root)) return;
    this.#roots.set(root, { state: "waiting", changed: [], waiting: [] });
    const { delayMs = 100 } = this.#options;
    const delay = Math.max(delayMs, this.#restsUntil - performance.now());
    setTimeout(() => this.#build(root), delay).unref();
  }

  noteChange(path: string): void {
    for (const [root, known] of this.#roots) {
      if (!isInside(root, path)) continue;
      known.changed.push(path);
      // Starting over is quicker.
      if (known.changed.length > maxChanges && known.state === "ready") this.#roots.delete(root);
    }
  }

  async whenReady(root: string): Promise<boolean> {
    this.noteUse(root);
    this.#build(root);
    const known = this.#roots.get(root);
    if (known === undefined || known.state === "refused") return false;
    if (known.state === "ready") return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    known.waiting.push(resolve);
    this.#keepAlive();
    return promise;
  }

  async measure(root: string): Promise<IndexMeasure | undefined> {
    if (this.#process === undefined) return undefined;
    const { promise, resolve } = Promise.withResolvers<IndexMeasure | undefined>();
    this.#measuring.push(resolve);
    this.#process.send({ type: "measure", root });
    this.#keepAlive();
    return promise;
  }

  close(): void {
    clearTimeout(this.#idle);
    const ending = this.#process;
    this.#forgetProcess();
    ending?.kill();
  }

  /** The innermost root that a path lies in. */
  #rootOf(path: string): string | undefined {
    let innermost: string | undefined;
    for (const root of this.#roots.keys()) {
      if (isInside(root, path) && root.length > (innermost?.length ?? 0)) innermost = root;
    }
    return innermost;
  }

  #build(root: string): void {
    const known = this.#roots.get(root);
    if (known?.state !== "waiting") return;
    this.#process ??= this.#start();
    known.state = this.#process === undefined ? "refused" : "building";
    const { maxFiles, filesForCrew } = this.#options;
    this.#process?.send({
      type: "build",
      root,
      ...(maxFiles !== undefined && { maxFiles }),
      ...(filesForCrew !== undefined && { filesForCrew }),
    });
  }

  #start(): IndexProcess | undefined {
    const started = startIndexProcess(
      {
        onReply: (reply) => this.#hear(reply),
        onEnd: () => {
          if (this.#process === started) this.#fail();
        },
      },
      this.#options.execArgv,
    );
    return started;
  }

  #hear(reply: IndexReply): void {
    switch (reply.type) {
      case "built": {
        const known = this.#roots.get(reply.root);
        if (known === undefined) break;
        known.state = reply.isUsable ? "ready" : "refused";
        for (const resolve of known.waiting.splice(0)) resolve(reply.isUsable);
        break;
      }
      case "found":
        this.#failures = 0;
        this.#patience.end(reply.id);
        this.#asked.get(reply.id)?.(reply.found);
        this.#asked.delete(reply.id);
        break;
      case "measured":
        this.#measuring.shift()?.(reply.measure);
    }
    this.#keepAlive();
  }

  // Further searches use ripgrep until the process may be restarted.
  #fail(): void {
    this.#restsUntil =
      performance.now() + Math.min(shortestRestMs * 2 ** this.#failures, maxRestMs);
    this.#failures++;
    this.#forgetProcess();
  }

  #forgetProcess(): void {
    this.#process = undefined;
    for (const [id, resolve] of this.#asked) {
      this.#patience.end(id);
      resolve(undefined);
    }
    this.#asked.clear();
    for (const [root, known] of this.#roots) {
      for (const resolve of known.waiting.splice(0)) resolve(false);
      if (known.state !== "refused") this.#roots.delete(root);
    }
    for (const resolve of this.#measuring.splice(0)) resolve(undefined);
  }

  #keepAlive(): void {
    const isAwaited = [...this.#roots.values()].some(({ waiting }) => waiting.length > 0);
    const isNeeded = this.#asked.size > 0 || this.#measuring.length > 0 || isAwaited;
    this.#process?.keepAlive(isNeeded);
  }

  #touch(): void {
    if (this.#idle === undefined) this.#idle = setTimeout(() => this.close(), idleMs).unref();
    else this.#idle.refresh();
  }
}

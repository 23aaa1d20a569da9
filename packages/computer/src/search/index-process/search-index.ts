import type { FoundText, TextQuery } from "@haft/contract";
import { isInside } from "../../paths/path-parts.ts";
import { type IndexProcess, startIndexProcess } from "./index-process.ts";
import type { IndexMeasure, IndexReply, IndexSizes } from "./messages.ts";
import { createPatience, type Patience } from "./patience.ts";

/** How indexes are kept. */
export interface SearchIndexOptions extends IndexSizes {
  /** Options of Node for the process that keeps them. */
  readonly execArgv?: readonly string[];
  /** How long after its first use a directory gets an index. A short command is over by then. */
  readonly delayMs?: number;
  /** How long an answer may take before ripgrep is asked instead. */
  readonly patienceMs?: number;
}

/**
 * Indexes of directories that are searched again and again, in a process of their own: one that
 * holds much memory takes long to start others.
 */
export interface SearchIndexes {
  /** Finds lines below a root that has an index. `undefined` wherever it takes ripgrep instead. */
  find(query: TextQuery): Promise<FoundText | undefined> | undefined;
  /** A directory, given without links, was searched: soon it will have an index. */
  noteUse(root: string): void;
  /** What is at a path was changed by us. */
  noteChange(path: string): void;
  /** Comes back when the index of a root is there, true, or can't be, false. */
  whenReady(root: string): Promise<boolean>;
  /** How large the index of a root is; `undefined` if there is no process that keeps any. */
  measure(root: string): Promise<IndexMeasure | undefined>;
  /** Ends the process; a further use starts it anew. */
  close(): void;
}

/** Starts with no index and no process. */
export function createSearchIndexes(options: SearchIndexOptions = {}): SearchIndexes {
  return new ProcessIndexes(options);
}

const idleMs = 10 * 60_000;
const mostChanges = 10_000;
const shortestRestMs = 1_000;
const longestRestMs = 5 * 60_000;

interface Root {
  state: "waiting" | "building" | "ready" | "refused";
  /** What was changed since the last question. */
  changed: string[];
  /** Who waits for it to be ready. */
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
  /** How often it ended without having been of use, and until when it is left alone. */
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
    // One that is still busy with an earlier question would only keep this one waiting.
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
    const delay = Math.max(delayMs, this.#restsUntil - Date.now());
    setTimeout(() => this.#build(root), delay).unref();
  }

  noteChange(path: string): void {
    for (const [root, known] of this.#roots) {
      if (!isInside(root, path)) continue;
      known.changed.push(path);
      // It is quicker to begin anew.
      if (known.changed.length > mostChanges && known.state === "ready") this.#roots.delete(root);
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
    const { mostFiles, filesForCrew } = this.#options;
    this.#process?.send({
      type: "build",
      root,
      ...(mostFiles !== undefined && { mostFiles }),
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

  // Whoever asks next gets its answers from ripgrep, until the process had its rest.
  #fail(): void {
    this.#restsUntil = Date.now() + Math.min(shortestRestMs * 2 ** this.#failures, longestRestMs);
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

import { type FileSystem, type PathChange, ToolError } from "@haft/contract";
import { areEqualBytes } from "./are-equal-bytes.ts";
import { DraftFile } from "./draft-file.ts";

/** A path that a patch touches: what was there, and what shall be. */
export interface TouchedPath {
  readonly path: string;
  readonly before: DraftFile | undefined;
  readonly after: DraftFile | undefined;
}

/** The files as a patch makes them, in memory until all of it is known to fit. */
export class PatchFiles {
  readonly #fs: FileSystem;
  readonly #found = new Map<string, { readonly draft: DraftFile; readonly version: string }>();
  readonly #drafts = new Map<string, DraftFile | undefined>();

  constructor(fs: FileSystem) {
    this.#fs = fs;
  }

  /** All paths so far, in the order in which the patch came to them. */
  get touched(): TouchedPath[] {
    return Array.from(this.#drafts, ([path, after]) => {
      return { path, after, before: this.#found.get(path)?.draft };
    });
  }

  /** What is at a path by now; `undefined` if nothing is. */
  async find(path: string): Promise<DraftFile | undefined> {
    if (!this.#drafts.has(path)) this.#drafts.set(path, await this.#load(path));
    return this.#drafts.get(path);
  }

  /** What is at a path by now; throws `not-found` if nothing is. */
  async get(path: string): Promise<DraftFile> {
    const draft = await this.find(path);
    if (draft !== undefined) return draft;
    throw new ToolError(
      "not-found",
      `Nothing was changed: the patch expects ${path}, and there is no such file.`,
      { absolutePath: path },
    );
  }

  /** Puts a file at a path that was looked at before. */
  set(path: string, draft: DraftFile | undefined): void {
    this.#drafts.set(path, draft);
  }

  /** What has to be changed. */
  async toChanges(): Promise<PathChange[]> {
    const changes: PathChange[] = [];
    for (const { path, before, after } of this.touched) {
      const expect = this.#found.get(path)?.version ?? "absent";
      if (after === undefined) {
        if (before !== undefined) changes.push({ path, to: { kind: "absent" }, expect });
        continue;
      }
      const content = after.bytes;
      const mode = await this.#chooseMode(after, before);
      if (after === before && mode === undefined && areEqualBytes(content, before.initial))
        continue;
      const to = { kind: "file", content, ...(mode === undefined ? {} : { mode }) } as const;
      changes.push({ path, to, expect, parents: true });
    }
    return changes;
  }

  async #load(path: string): Promise<DraftFile | undefined> {
    try {
      const { content, version } = await this.#fs.load(path);
      return this.#keep(path, version, () => content);
    } catch (error) {
      if (!ToolError.isInstance(error)) throw error;
      if (error.code === "not-found") return undefined;
      if (error.code !== "secret-file") throw error;
      // What may not be read may still be replaced or deleted.
      return this.#findUnread(path, error);
    }
  }

  async #findUnread(path: string, secret: ToolError): Promise<DraftFile | undefined> {
    try {
      const { kind, version } = await this.#fs.stat(path);
      if (kind !== "file") throw secret;
      return this.#keep(path, version, () => {
        throw secret;
      });
    } catch (error) {
      if (ToolError.isInstance(error) && error.code === "not-found") return undefined;
      throw error;
    }
  }

  #keep(path: string, version: string, content: () => Uint8Array): DraftFile {
    const draft = new DraftFile({ path, origin: path, content });
    this.#found.set(path, { draft, version });
    return draft;
  }

  /** A file that moves, or is copied, keeps its mode; else only what the patch says of it changes. */
  async #chooseMode(after: DraftFile, before: DraftFile | undefined): Promise<number | undefined> {
    const { like, isExecutable } = after;
    if (like === undefined) return isExecutable ? 0o755 : undefined;
    if (after === before && isExecutable === undefined) return undefined;
    const { mode } = await this.#fs.stat(like);
    if (isExecutable === undefined) return mode;
    // Whoever may read it may run it.
    const wanted = isExecutable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
    return after === before && wanted === mode ? undefined : wanted;
  }
}

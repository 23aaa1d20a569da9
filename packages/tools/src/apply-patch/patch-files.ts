import { type FileSystem, type PathChange, ToolError } from "@haft/contract";
import { isSameBytes } from "@haft/contract/internal";
import { DraftFile } from "./draft-file.ts";

/** A path that a patch touches, with the file before and after. */
export interface TouchedPath {
  readonly path: string;
  readonly before: DraftFile | undefined;
  readonly after: DraftFile | undefined;
}

/** The files that a patch changes, in memory until all of it is known to apply. */
export class PatchFiles {
  readonly #fs: FileSystem;
  readonly #found = new Map<string, { readonly draft: DraftFile; readonly version: string }>();
  readonly #drafts = new Map<string, DraftFile | undefined>();

  constructor(fs: FileSystem) {
    this.#fs = fs;
  }

  /** All paths so far, in the order of the patch. */
  get touched(): TouchedPath[] {
    return Array.from(this.#drafts, ([path, after]) => {
      return { path, after, before: this.#found.get(path)?.draft };
    });
  }

  /** Returns the current file at a path, or `undefined`. */
  async find(path: string): Promise<DraftFile | undefined> {
    if (!this.#drafts.has(path)) this.#drafts.set(path, await this.#load(path));
    return this.#drafts.get(path);
  }

  /** Returns the current file at a path. Throws `not-found` if there is none. */
  async get(path: string): Promise<DraftFile> {
    const draft = await this.find(path);
    if (draft !== undefined) return draft;
    throw new ToolError(
      "not-found",
      `Nothing was changed: the patch expects ${path}, which does not exist.`,
      { absolutePath: path },
    );
  }

  /** Puts a file at a path that was read before. */
  set(path: string, draft: DraftFile | undefined): void {
    this.#drafts.set(path, draft);
  }

  /** Returns the changes to make. */
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
      if (after === before && mode === undefined && isSameBytes(content, before.initial)) continue;
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
      if (error.code !== "secret-file" && error.code !== "denied") throw error;
      // A file that may not be read may still be replaced or deleted.
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

  /** A moved or copied file keeps its mode; otherwise only the patch changes it. */
  async #chooseMode(after: DraftFile, before: DraftFile | undefined): Promise<number | undefined> {
    const { like, isExecutable } = after;
    if (like === undefined) return isExecutable ? 0o755 : undefined;
    if (after === before && isExecutable === undefined) return undefined;
    const { mode } = await this.#fs.stat(like);
    if (isExecutable === undefined) return mode;
    // Everyone who may read the file may run it.
    const wanted = isExecutable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
    return after === before && wanted === mode ? undefined : wanted;
  }
}

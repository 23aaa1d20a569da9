import type { Hunk, PatchSection } from "./patch.ts";
import { patchError } from "./patch-error.ts";
import type { ParsedHunk } from "./unified-hunk.ts";
import { type HeaderName, type NamePair, parsePlainName, stripPrefixes } from "./unified-paths.ts";

/** Collects the headers and hunks of one file in a unified diff. */
export class UnifiedSection {
  readonly #line: number;
  readonly #gitNames: NamePair | undefined;
  readonly #hunks: Hunk[] = [];
  readonly #named = new Map<string, string>();
  #names: { readonly old: HeaderName; readonly new: HeaderName } | undefined;
  #isExecutable: boolean | undefined;
  #leavesLines = true;
  #isInHeader = true;

  constructor(line: number, gitNames: NamePair | undefined) {
    this.#line = line;
    this.#gitNames = gitNames;
  }

  /** `---` and `+++` were seen. */
  get hasNames(): boolean {
    return this.#names !== undefined;
  }

  /** A hunk must follow. */
  get awaitsHunk(): boolean {
    return this.hasNames && this.#hunks.length === 0;
  }

  /** Tells whether `---` and `+++` with these names can belong to the preceding git headers. */
  mayHave(old: HeaderName, renamed: HeaderName): boolean {
    if (this.hasNames) return false;
    const from = this.#findMove()?.path ?? this.#gitNames?.old;
    const to = this.#findMove()?.target ?? this.#gitNames?.new;
    return isSameName(old.path, from) && isSameName(renamed.path, to);
  }

  setNames(old: HeaderName, renamed: HeaderName): void {
    this.#names = { old, new: renamed };
    this.#isInHeader = false;
  }

  addHunk({ hunk, newCount }: ParsedHunk): void {
    this.#hunks.push(hunk);
    this.#leavesLines = newCount !== 0;
  }

  /** Reads a git header. Returns false if the line is not one; then no more are expected. */
  takeHeader(line: string, at: number): boolean {
    const [, name = "", value = ""] = (this.#isInHeader && gitHeader.exec(line)) || [];
    this.#isInHeader &&= name !== "";
    if (!this.#isInHeader) return false;
    if (name.endsWith("mode")) this.#takeMode(name, { value, at });
    else this.#named.set(name, value);
    return true;
  }

  finish(): PatchSection {
    const hunks = this.#hunks;
    const base = {
      form: "unified",
      hunks,
      ...(this.#isExecutable === undefined ? {} : { isExecutable: this.#isExecutable }),
    } as const;
    const moved = this.#findMove();
    if (moved !== undefined) return { ...base, ...moved };
    const { old, new: renamed } = this.#findPaths();
    if (old === undefined && renamed !== undefined) {
      return { ...base, action: "create", path: renamed };
    }
    if (renamed === undefined && old !== undefined) return { ...base, action: "delete", path: old };
    if (renamed === undefined) throw patchError(this.#line, "this header does not name a file.");
    if (hunks.length === 0 && this.#isExecutable === undefined) {
      throw patchError(this.#line, `the diff of ${renamed} has no hunks.`);
    }
    return { ...base, action: "update", path: renamed };
  }

  #takeMode(name: string, { value, at }: { readonly value: string; readonly at: number }): void {
    this.#named.set(name, value);
    if (!/^100[0-7]{3}$/u.test(value)) {
      throw patchError(
        at,
        `only regular files can be patched, not links or submodules (mode ${value}).`,
      );
    }
    const isExecutable = /[1357]/u.test(value.slice(3));
    // A new file is executable only if its mode says so.
    if (name === "new mode" || (name === "new file mode" && isExecutable)) {
      this.#isExecutable = isExecutable;
    }
  }

  #findMove(): Pick<PatchSection, "action" | "path" | "target"> | undefined {
    for (const verb of ["rename", "copy"]) {
      const from = this.#named.get(`${verb} from`) ?? this.#named.get(`${verb} old`);
      const to = this.#named.get(`${verb} to`) ?? this.#named.get(`${verb} new`);
      if (from === undefined || to === undefined) continue;
      const action = verb === "copy" ? "copy" : "update";
      return { action, path: parsePlainName(from), target: parsePlainName(to) };
    }
    return undefined;
  }

  /** Returns the names without prefixes; `undefined` on the side where there is no file. */
  #findPaths(): Partial<NamePair> {
    const isNew = this.#named.has("new file mode") || this.#isAbsent("old");
    const isGone = this.#named.has("deleted file mode") || this.#isAbsent("new");
    const { old, new: renamed } = this.#findNames();
    return { ...(isNew || !old ? {} : { old }), ...(isGone || !renamed ? {} : { new: renamed }) };
  }

  #findNames(): Partial<NamePair> {
    const old = this.#names?.old.path;
    const renamed = this.#names?.new.path;
    if (old !== undefined && renamed !== undefined) return stripPrefixes({ old, new: renamed });
    // Next to /dev/null, a prefix can't be distinguished from a directory; the git line has both names.
    if (this.#gitNames !== undefined) return this.#gitNames;
    return {
      ...(old === undefined ? {} : { old: old.replace(/^a\//u, "") }),
      ...(renamed === undefined ? {} : { new: renamed.replace(/^b\//u, "") }),
    };
  }

  #isAbsent(side: "old" | "new"): boolean {
    const name = this.#names?.[side];
    if (name === undefined) return false;
    if (name.path === undefined) return true;
    if (!name.isEpoch) return false;
    return side === "new" ? !this.#leavesLines : this.#hunks[0]?.hint?.count === 0;
  }
}

/** Compares names with or without a prefix. `undefined` matches any. */
function isSameName(name: string | undefined, expected: string | undefined): boolean {
  if (name === undefined || expected === undefined) return true;
  return name === expected || name.slice(2) === expected;
}

const gitHeader =
  /^(old mode|new mode|deleted file mode|new file mode|copy from|copy to|rename from|rename to|rename old|rename new|similarity index|dissimilarity index|index) ?(.*)$/u;

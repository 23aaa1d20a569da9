import type { IgnoreRules } from "./ignore-rules.ts";
import type { IgnoreVerdict, NameRules } from "./name-rules.ts";

/** What the ignore files of one directory say. */
export interface DirectoryRules {
  /** Of `.rgignore`, which beats all others. */
  readonly custom?: IgnoreRules | undefined;
  /** Of `.ignore`. */
  readonly plain?: IgnoreRules | undefined;
  /** Of `.gitignore`. */
  readonly git?: IgnoreRules | undefined;
  /** Of the repository's own `info/exclude`. */
  readonly exclude?: IgnoreRules | undefined;
  /** A repository starts here: what git's files above say does not hold. */
  readonly isRepository: boolean;
}

/** Decides about the names in a directory. */
export type JudgeName = (name: string, isDirectory: boolean) => IgnoreVerdict;

interface Placed {
  readonly rules: IgnoreRules;
  /** The directory that they are relative to, absolute. */
  readonly base: string;
}

interface Layers {
  readonly custom: readonly Placed[];
  readonly plain: readonly Placed[];
  readonly git: readonly Placed[];
  readonly exclude: readonly Placed[];
  readonly isInRepository: boolean;
}

const noLayers: Layers = { custom: [], plain: [], git: [], exclude: [], isInRepository: false };

/** Where a search starts, as far as ignore rules are concerned. */
export interface IgnoreStart {
  /** The user's own rules for all repositories are relative to it. */
  readonly base: string;
  /**
   * It lies in a repository: git's files hold up to where theirs ends. Elsewhere they hold like all
   * others, because whoever wrote one meant it.
   */
  readonly heedsRepositories: boolean;
}

/** The ignore rules that hold in a directory: its own, and those of all directories above. */
export class IgnoreScope {
  readonly heedsRepositories: boolean;
  readonly #layers: Layers;
  readonly #global: Placed | undefined;
  readonly #ordered: readonly Placed[];

  private constructor(layers: Layers, global: Placed | undefined, heedsRepositories: boolean) {
    this.heedsRepositories = heedsRepositories;
    this.#layers = layers;
    this.#global = global;
    const { custom, plain, git, exclude, isInRepository } = layers;
    const ofGit = [...git, ...exclude, ...(global === undefined ? [] : [global])];
    const isHeld = isInRepository || !heedsRepositories;
    this.#ordered = [...custom, ...plain, ...(isHeld ? ofGit : [])];
  }

  /** Above everything. */
  static outermost(global: IgnoreRules | undefined, start: IgnoreStart): IgnoreScope {
    const { base, heedsRepositories } = start;
    return new IgnoreScope(noLayers, global && { rules: global, base }, heedsRepositories);
  }

  /** The rules inside a directory; the same ones if it adds none. */
  enter(base: string, own: DirectoryRules | undefined): IgnoreScope {
    if (own === undefined) return this;
    const layers = this.#layers;
    const { isRepository } = own;
    const place = (rules: IgnoreRules | undefined): Placed[] => (rules ? [{ rules, base }] : []);
    return new IgnoreScope(
      {
        custom: [...place(own.custom), ...layers.custom],
        plain: [...place(own.plain), ...layers.plain],
        git: [...place(own.git), ...(isRepository ? [] : layers.git)],
        exclude: [...place(own.exclude), ...(isRepository ? [] : layers.exclude)],
        isInRepository: isRepository || layers.isInRepository,
      },
      this.#global,
      this.heedsRepositories,
    );
  }

  /** What decides about the names in a directory; `undefined` if nothing speaks of any. */
  judgeIn(directory: string): JudgeName | undefined {
    const active: NameRules[] = [];
    for (const { rules, base } of this.#ordered) {
      const found = rules.at(relativeTo(base, directory));
      if (found !== undefined) active.push(found);
    }
    const [only] = active;
    if (only === undefined) return undefined;
    if (active.length === 1) return (name, isDirectory) => only.judge(name, isDirectory);
    return (name, isDirectory) => {
      for (const rules of active) {
        const verdict = rules.judge(name, isDirectory);
        if (verdict !== undefined) return verdict;
      }
      return undefined;
    };
  }
}

function relativeTo(base: string, directory: string): string {
  if (base === "/") return directory.slice(1);
  return directory.slice(base.length + 1);
}

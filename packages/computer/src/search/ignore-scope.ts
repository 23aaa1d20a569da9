import type { IgnoreRules } from "./ignore-rules.ts";
import type { IgnoreVerdict, NameRules } from "./name-rules.ts";

/** The rules of one directory's ignore files. */
export interface DirectoryRules {
  /** From `.rgignore`, which overrides all others. */
  readonly custom?: IgnoreRules | undefined;
  /** From `.ignore`. */
  readonly plain?: IgnoreRules | undefined;
  /** From `.gitignore`. */
  readonly git?: IgnoreRules | undefined;
  /** From the repository's own `info/exclude`. */
  readonly exclude?: IgnoreRules | undefined;
  /** A repository starts here: git's files above do not apply. */
  readonly isRepository: boolean;
  /** Reading one of the files could take forever. Its rules are left out. */
  readonly hasUnusable?: boolean;
}

/** Decides about the names in a directory. */
export type JudgeName = (name: string, isDirectory: boolean) => IgnoreVerdict;

interface Placed {
  readonly rules: IgnoreRules;
  /** The absolute directory that they are relative to. */
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

/** Where a search starts, for ignore rules. */
export interface IgnoreStart {
  /** The user's own rules for all repositories are relative to it. */
  readonly base: string;
  /**
   * It lies in a repository: git's files apply up to its top. Elsewhere they apply like all others,
   * because their author meant them.
   */
  readonly honorsRepositories: boolean;
}

/** The ignore rules that apply in a directory: its own, and those of all directories above. */
export class IgnoreScope {
  readonly honorsRepositories: boolean;
  /** An ignore file here or above can't be read to its end, which ripgrep would try to. */
  readonly hasUnusable: boolean;
  readonly #layers: Layers;
  readonly #global: Placed | undefined;
  readonly #ordered: readonly Placed[];

  private constructor(
    layers: Layers,
    global: Placed | undefined,
    { honorsRepositories, hasUnusable }: Pick<IgnoreScope, "honorsRepositories" | "hasUnusable">,
  ) {
    this.honorsRepositories = honorsRepositories;
    this.hasUnusable = hasUnusable;
    this.#layers = layers;
    this.#global = global;
    const { custom, plain, git, exclude, isInRepository } = layers;
    const ofGit = [...git, ...exclude, ...(global === undefined ? [] : [global])];
    const isHeld = isInRepository || !honorsRepositories;
    this.#ordered = [...custom, ...plain, ...(isHeld ? ofGit : [])];
  }

  /** No rules. */
  static outermost(global: IgnoreRules | undefined, start: IgnoreStart): IgnoreScope {
    const { base, honorsRepositories } = start;
    const facts = { honorsRepositories, hasUnusable: false };
    return new IgnoreScope(noLayers, global && { rules: global, base }, facts);
  }

  /** The rules inside a directory; the same object if it adds none. */
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
      {
        honorsRepositories: this.honorsRepositories,
        hasUnusable: this.hasUnusable || own.hasUnusable === true,
      },
    );
  }

  /** Returns what decides about the names in a directory; `undefined` if no rule applies. */
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

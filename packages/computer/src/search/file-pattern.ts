import { ToolError } from "@haft/contract";
import { compileGlob, expandBraces } from "@haft/contract/internal";

/**
 * A pattern during a walk: the part that is left to match in a directory. A name that starts with a
 * dot is hidden; it matches only a component of the pattern that itself starts with a dot.
 */
export interface FilePattern {
  /** Whether a file of this name in the directory matches. */
  fits(name: string, isHidden: boolean): boolean;
  /** What is left for a directory of this name; `undefined` if nothing below can match. */
  below(name: string, isHidden: boolean): FilePattern | undefined;
}

/** Compiles a glob over paths relative to a directory. */
export function compileFilePattern(pattern: string, directory: string): FilePattern {
  const relative = toRelative(pattern, directory);
  try {
    const states = new States(expandBraces(relative).map(toParts));
    return states.at(states.starts);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ToolError("invalid-arguments", `${error.message} Correct the pattern.`);
  }
}

/** Every file that is not hidden. */
export const anyFile: FilePattern = {
  fits: (_name, isHidden) => !isHidden,
  below: (_name, isHidden) => (isHidden ? undefined : anyFile),
};

/** Every file, including hidden ones. */
export const everyFile: FilePattern = { fits: () => true, below: () => everyFile };

/** One component of a pattern; `deep` stands for any number of components. */
type Part = "deep" | PartMatcher;

interface PartMatcher {
  readonly spellsDot: boolean;
  fits(name: string): boolean;
}

const isDeep = /^\*\*+$/u;

function toRelative(pattern: string, directory: string): string {
  const inside = directory === "/" ? "/" : `${directory}/`;
  return pattern.startsWith(inside) ? pattern.slice(inside.length) : pattern;
}

function toParts(pattern: string): readonly Part[] {
  // A slash inside a class does not separate.
  const names: string[] = pattern.match(/(?:\\.|\[[!^]?\]?(?:\\.|[^\]\\])*\]|[^/])+/gsu) ?? [];
  if (names.includes("..")) {
    throw new TypeError(
      `The pattern ${JSON.stringify(pattern)} leads above the directory. Name that directory in the path instead.`,
    );
  }
  const parts = names.filter((name) => name !== ".").map(toPart);
  // A directory stands for everything in it.
  if (pattern.endsWith("/") || parts.length === 0) parts.push("deep");
  return parts;
}

function toPart(text: string): Part {
  if (isDeep.test(text)) return "deep";
  return { spellsDot: /^\\?\./u.test(text), fits: compilePart(text) };
}

// Fast paths for common forms: the general matcher takes a microsecond per name.
function compilePart(text: string): (name: string) => boolean {
  const [, before = "", star = "", after = ""] =
    /^([^*?[\]{}\\]*)(\*?)([^*?[\]{}\\]*)$/u.exec(text) ?? [];
  if (before + star + after !== text) return compileGlob(text);
  if (star === "") return (name) => name === text;
  if (before === "") return (name) => name.endsWith(after);
  return (name) =>
    name.length >= text.length - 1 && name.startsWith(before) && name.endsWith(after);
}

/** All states of a pattern's alternatives at once; equal sets share one state. */
class States {
  readonly #alternatives: readonly (readonly Part[])[];
  readonly #known = new Map<string, FilePattern>();

  constructor(alternatives: readonly (readonly Part[])[]) {
    this.#alternatives = alternatives;
  }

  get starts(): Position[] {
    return this.#alternatives.map((_, alternative) => [alternative, 0]);
  }

  at(positions: readonly Position[]): FilePattern {
    const all = this.#close(positions);
    const key = all.join(" ");
    const known = this.#known.get(key) ?? this.#make(all);
    this.#known.set(key, known);
    return known;
  }

  // `**` may match nothing, so what follows it may start here too.
  #close(positions: readonly Position[]): Position[] {
    const all = new Map<string, Position>();
    for (const [alternative, start] of positions) {
      for (let index = start; ; index++) {
        all.set(`${alternative},${index}`, [alternative, index]);
        if (this.#alternatives[alternative]?.[index] !== "deep") break;
      }
    }
    return [...all.values()].sort(([a, b], [c, d]) => a - c || b - d);
  }

  #make(positions: readonly Position[]): FilePattern {
    const last: Part[] = [];
    const further: { part: Part; position: Position; next: Position }[] = [];
    for (const position of positions) {
      const [alternative, index] = position;
      const parts = this.#alternatives[alternative] ?? [];
      const part = parts[index];
      if (part === undefined) continue;
      if (index === parts.length - 1) last.push(part);
      if (part === "deep" || index < parts.length - 1) {
        further.push({ part, position, next: [alternative, index + 1] });
      }
    }
    const onlyDeep = further.every(({ part }) => part === "deep");
    const fits = (part: Part, name: string, isHidden: boolean): boolean =>
      part === "deep" ? !isHidden : (!isHidden || part.spellsDot) && part.fits(name);
    const [only] = last;
    let deeper: FilePattern | undefined;
    return {
      fits:
        only !== undefined && last.length === 1
          ? (name, isHidden) => fits(only, name, isHidden)
          : (name, isHidden) => last.some((part) => fits(part, name, isHidden)),
      below: (name, isHidden) => {
        if (onlyDeep) {
          if (isHidden || further.length === 0) return undefined;
          deeper ??= this.at(further.map(({ position }) => position));
          return deeper;
        }
        const next: Position[] = [];
        for (const { part, position, next: after } of further) {
          if (fits(part, name, isHidden)) next.push(part === "deep" ? position : after);
        }
        return next.length === 0 ? undefined : this.at(next);
      },
    };
  }
}

type Position = readonly [alternative: number, index: number];

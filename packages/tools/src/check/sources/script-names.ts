import { type CheckKind, checkKinds } from "../check-kind.ts";

/** A script of a project that checks it. */
export interface NamedScript {
  readonly kind: CheckKind;
  readonly name: string;
}

/** The usual names of scripts, targets and recipes for checks. The first that exists is used. */
const usual: Readonly<Record<CheckKind, readonly string[]>> = {
  types: [
    ...["typecheck", "type-check", "types", "check-types", "check:types", "types:check"],
    ...["ts:check", "check:ts", "lint:types", "tsc", "phpstan", "psalm", "analyse", "analyze"],
  ],
  lint: ["lint", "lint:check", "check:lint", "lint-check", "eslint", "biome", "phpcs", "cs-check"],
  test: ["test", "tests", "test:unit", "unit", "unit-test", "unit-tests", "phpunit"],
};

/** Chooses the scripts that check a project, one per kind, by name and text. */
export function chooseScripts(scripts: ReadonlyMap<string, string>): NamedScript[] {
  const chosen = checkKinds.flatMap((kind): NamedScript[] => {
    const name = usual[kind].find((each) => checks(scripts.get(each)));
    return name === undefined ? [] : [{ kind, name }];
  });
  const general = scripts.get("check");
  if (general === undefined || !checks(general)) return chosen;
  const kind = guessKind(general);
  return chosen.some((each) => each.kind === kind) ? chosen : [...chosen, { kind, name: "check" }];
}

function checks(text: string | undefined): boolean {
  if (text === undefined) return false;
  // The placeholder of npm, and commands that would never end.
  return !/no test specified/u.test(text) && !/(?:^|\s)--watch(?:All)?(?:\s|$)/u.test(text);
}

function guessKind(text: string): CheckKind {
  if (/\btests?\b|vitest|jest|mocha/u.test(text)) return "test";
  const isTypes = /\b(?:tsc|vue-tsc|svelte-check|astro check|mypy|pyright)\b/u.test(text);
  return isTypes && !/lint|biome|prettier|ruff/u.test(text) ? "types" : "lint";
}

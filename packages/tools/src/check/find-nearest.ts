import { type Runtime, ToolError } from "@haft/contract";
import { directoriesAbove } from "../paths/directories-above.ts";
import { requireInside } from "../paths/require-inside.ts";
import type { CheckKind } from "./check-kind.ts";
import { type FoundChecks, findChecks } from "./find-checks.ts";
import type { SkippedCheck } from "./found-check.ts";
import { openProject } from "./project.ts";

/** A directory and its checks. */
export interface NearestChecks {
  readonly directory: string;
  readonly found: FoundChecks;
}

/** Finds the nearest directory, at a path or above it, that has checks of these kinds. */
export async function findNearest(
  path: string,
  kinds: readonly CheckKind[],
  runtime: Runtime,
): Promise<NearestChecks> {
  const { fs, session } = runtime;
  const start = fs.resolve(path);
  requireInside(start, session);
  const { kind } = await fs.stat(start);
  const inside = kind === "directory" ? `${start === "/" ? "" : start}/x` : start;
  const skipped: SkippedCheck[] = [];
  for (const each of directoriesAbove(inside, session.roots).reverse()) {
    const directory = each || "/";
    const found = await findChecks(await openProject(directory, runtime), kinds);
    if (found.checks.length > 0) return { directory, found };
    skipped.push(...found.skipped);
  }
  throw skipped.length > 0 ? notInstalled(skipped, start) : nothingFound(kinds, start);
}

function notInstalled(skipped: readonly SkippedCheck[], path: string): ToolError {
  const reasons = [...new Set(skipped.map(({ why }) => why))].join(" ");
  return new ToolError(
    "unavailable",
    `Can't check ${path}: ${reasons} Install the project's dependencies, or the program itself.`,
    { absolutePath: path },
  );
}

function nothingFound(kinds: readonly CheckKind[], path: string): ToolError {
  return new ToolError(
    "not-found",
    `Found no check for ${kinds.join(", ")} of ${path}. Searched there and in the directories above for scripts in package.json, composer.json and deno.json (typecheck, lint, test), targets of a Makefile or justfile, and known configuration files: tsconfig.json, biome.json, ESLint, Vitest or Jest, Cargo.toml, go.mod, pyproject.toml, setup.cfg, tox.ini, mix.exs, Gradle, Maven, .NET.`,
    { absolutePath: path, remedy: "Run the right command with `bash`." },
  );
}

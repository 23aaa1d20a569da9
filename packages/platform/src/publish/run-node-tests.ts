import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProjectTree } from "../git/repositories.ts";
import { Problem } from "../problem.ts";
import { type BuildContext, tellLogEnd } from "./build-context.ts";

/** Finds a project's tests: those that are called so, else every module in their folder. */
export function findNodeTests(project: ProjectTree): readonly string[] {
  const modules = [...project.keys()].filter((path) => /^test\/.*\.[cm]?[jt]s$/u.test(path)).sort();
  const named = modules.filter((path) => /[./_-]test\.|\/test[-_.]/u.test(path.slice(4)));
  return named.length > 0 ? named : modules.filter((path) => !path.endsWith(".d.ts"));
}

/** Runs a project's tests. Throws a `Problem` 400 with the names of those that fail. */
export async function runNodeTests(context: BuildContext, tests: readonly string[]): Promise<void> {
  const { places, tools, limits, log } = context;
  if (tests.length === 0) {
    log(
      "There are no tests. A test of runTool in test/tool.test.ts is run before every publication.",
    );
    return;
  }
  mkdirSync(places.settings, { recursive: true });
  const reporter = join(places.settings, "failures.mjs");
  const failures = join(places.out("tests"), "failures");
  writeFileSync(reporter, failureReporter);
  const { exitCode, output } = await context.run({
    step: "tests",
    argv: [
      ...([tools.node, "--test", "--no-warnings"] as const),
      ...["--test-reporter=spec", "--test-reporter-destination=stdout"],
      ...[`--test-reporter=${reporter}`, `--test-reporter-destination=${failures}`],
      ...tests,
    ],
    environment: { NODE_NO_WARNINGS: "1" },
    runsProject: true,
    timeoutMs: limits.testMs,
  });
  const failed = existsSync(failures) ? readFileSync(failures, "utf8").split("\n") : [];
  const names = failed.filter((name) => name !== "").map((name) => name.slice(0, 200));
  if (exitCode === 0) {
    log("The tests pass.");
    return;
  }
  throw new Problem(400, `${tellFailures(names)}${tellLogEnd(output)}`);
}

/** A sentence that says which tests fail. */
export function tellFailures(names: readonly string[]): string {
  const [first] = names;
  if (first === undefined) return "The tests did not run to their end.";
  const shown = names.slice(0, 10).map((name) => JSON.stringify(name));
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : "";
  return names.length === 1
    ? `A test fails: ${shown}. Mend it or the tool.`
    : `${names.length} tests fail: ${shown.join(", ")}${more}. Mend them or the tool.`;
}

// A file or a suite fails because of a test in it, which is the one to name.
const failureReporter = `
export default async function* (source) {
  for await (const { type, data } of source) {
    if (type !== "test:fail" || data.todo !== undefined || data.skip !== undefined) continue;
    const kind = data.details?.error?.failureType;
    if (kind === "subtestsFailed") continue;
    yield data.name.replaceAll("\\n", " ") + "\\n";
  }
}
`;

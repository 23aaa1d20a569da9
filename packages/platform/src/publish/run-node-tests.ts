import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProjectTree } from "../git/repositories.ts";
import { Problem } from "../problem.ts";
import { type BuildContext, readStepOutput, tellLogEnd } from "./build-context.ts";

/** Finds a project's tests: files named as tests, or else every module in the test folder. */
export function findNodeTests(project: ProjectTree): readonly string[] {
  const modules = [...project.keys()].filter((path) => /^test\/.*\.[cm]?[jt]s$/u.test(path)).sort();
  const named = modules.filter((path) => /[./_-]test\.|\/test[-_.]/u.test(path.slice(4)));
  return named.length > 0 ? named : modules.filter((path) => !path.endsWith(".d.ts"));
}

/** Runs a project's tests. Throws a `Problem` 400 that names the failing ones. */
export async function runNodeTests(context: BuildContext, tests: readonly string[]): Promise<void> {
  const { paths, tools, limits, log } = context;
  if (tests.length === 0) {
    log("There are no tests. Tests in test/tool.test.ts run before every publish.");
    return;
  }
  mkdirSync(paths.settings, { recursive: true });
  const reporter = join(paths.settings, "failures.mjs");
  const failures = join(paths.out("tests"), "failures");
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
  if (exitCode === 0) {
    log("The tests passed.");
    return;
  }
  const failed = readStepOutput(context, "tests", { name: "failures", maxBytes: maxFailureBytes });
  const lines = failed?.split("\n").filter((name) => name !== "") ?? [];
  const names = lines.map((name) => name.slice(0, 200));
  throw new Problem(400, `${tellFailures(names)}${tellLogEnd(output)}`);
}

const maxFailureBytes = 1024 * 1024;

/** Returns a sentence that names the failing tests. */
export function tellFailures(names: readonly string[]): string {
  const [first] = names;
  if (first === undefined) return "The tests did not finish. Fix the error and publish again.";
  const shown = names.slice(0, 10).map((name) => JSON.stringify(name));
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : "";
  return names.length === 1
    ? `A test failed: ${shown}. Fix the tool or the test and publish again.`
    : `${names.length} tests failed: ${shown.join(", ")}${more}. Fix the tool or the tests and publish again.`;
}

// A file or a suite fails because a test in it fails. Only that test is named.
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

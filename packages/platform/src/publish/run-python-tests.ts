import type { ProjectTree } from "../git/repositories.ts";
import { Problem } from "../problem.ts";
import { type BuildContext, tellLogEnd } from "./build-context.ts";
import { tellFailures } from "./run-node-tests.ts";

/** Throws a `Problem` 400 if a project has no tests. */
export function requirePythonTests(project: ProjectTree): void {
  if ([...project.keys()].some((path) => /^test\/(?:.*\/)?test[^/]*\.py$/u.test(path))) return;
  throw new Problem(400, noTests);
}

const noTests =
  "The project has no tests. Add test/test_tool.py with a unittest.TestCase that calls run_tool; `python3 -m unittest discover -s test` has to find it.";

/** Runs a project's tests. Throws a `Problem` 400 with the names of those that fail. */
export async function runPythonTests(context: BuildContext): Promise<void> {
  const { places, tools, limits, log } = context;
  const { exitCode, output } = await context.run({
    step: "tests",
    argv: [await tools.python(), "-B", "-m", "unittest", "discover", "-s", "test", "-v"],
    environment: { PYTHONPATH: places.packages, PYTHONDONTWRITEBYTECODE: "1" },
    runsProject: true,
    timeoutMs: limits.testMs,
  });
  if (/^Ran 0 tests in /mu.test(output)) throw new Problem(400, noTests);
  if (exitCode === 0) {
    log("The tests pass.");
    return;
  }
  const names = [...output.matchAll(/^(?:FAIL|ERROR): (\S+)/gmu)].map(([, name = ""]) => name);
  throw new Problem(400, `${tellFailures(names)}${tellLogEnd(output)}`);
}

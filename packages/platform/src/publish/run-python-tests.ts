import type { ProjectTree } from "../git/repositories.ts";
import { Problem } from "../problem.ts";
import { type BuildContext, tellLogEnd } from "./build-context.ts";
import { tellFailures } from "./run-node-tests.ts";

// Test cases that unittest finds, and plain functions whose names start with `test`.
const runner = `
import asyncio, inspect, pathlib, sys, unittest
sys.path.insert(0, ".")
loader = unittest.TestLoader()
suite = loader.discover("test", top_level_dir="test")
class Plain(unittest.FunctionTestCase):
    def __str__(self):
        return self.shortDescription()
def wrap(function):
    def run():
        result = function()
        if inspect.isawaitable(result):
            asyncio.run(result)
    return Plain(run, description=function.__name__)
for path in sorted(pathlib.Path("test").rglob("*.py")):
    name = ".".join(path.relative_to("test").with_suffix("").parts)
    if not path.name.startswith("test") and not path.stem.endswith("_test"):
        continue
    if name not in sys.modules:
        suite.addTests(loader.loadTestsFromName(name))
    for item in list(vars(sys.modules.get(name, sys)).values()):
        if inspect.isfunction(item) and item.__name__.startswith("test") and item.__module__ == name:
            if not inspect.signature(item).parameters:
                suite.addTest(wrap(item))
result = unittest.TextTestRunner(verbosity=2).run(suite)
sys.exit(0 if result.wasSuccessful() else 1)
`;

function hasTests(project: ProjectTree): boolean {
  return [...project.keys()].some((path) =>
    /^test\/(?:.*\/)?(?:test[^/]*|[^/]*_test)\.py$/u.test(path),
  );
}

/** Runs a project's tests. Throws a `Problem` 400 that names the failing ones. */
export async function runPythonTests(context: BuildContext): Promise<void> {
  const { project, paths, tools, limits, log } = context;
  if (!hasTests(project)) {
    log("There are no tests. Tests in test/test_tool.py run before every publish.");
    return;
  }
  const { exitCode, output } = await context.run({
    step: "tests",
    argv: [await tools.python(), "-B", "-c", runner],
    environment: { PYTHONPATH: paths.packages, PYTHONDONTWRITEBYTECODE: "1" },
    runsProject: true,
    timeoutMs: limits.testMs,
  });
  if (exitCode === 0) {
    log("The tests passed.");
    return;
  }
  const names = [...output.matchAll(/^(?:FAIL|ERROR): (\S+)/gmu)].map(([, name = ""]) => name);
  throw new Problem(400, `${tellFailures(names)}${tellLogEnd(output)}`);
}

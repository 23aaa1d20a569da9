import { afterAll, describe, expect, it } from "vitest";
import { unpackArtifact } from "../runner/artifact.ts";
import {
  buildQuietly,
  closeBuilders,
  makeProject,
  openBuilder,
  refusal,
} from "./test-support/open-builder.ts";

afterAll(closeBuilders);

const builder = openBuilder();

describe("a build of a project of Python", () => {
  it("collects the files of the scaffold, always the same", async () => {
    const project = await makeProject("python");
    const [first, second] = await Promise.all([
      buildQuietly(builder, project),
      buildQuietly(builder, project),
    ]);
    expect(second.digest).toBe(first.digest);
    expect(unpackArtifact(first.artifact)).toMatchObject({ runtime: "python", module: "src.tool" });
    expect(first.log).toContain("test_greets_by_name_and_says_what_it_is_doing");
  });

  const entry = (parameters: string, kind = "async def"): string =>
    `${kind} run_tool(${parameters}):\n    return "x"\n`;
  it.each<[what: string, sentence: RegExp, source: string | undefined]>([
    ["without an entry", /^The project has no src\/tool\.py/u, undefined],
    ["without run_tool", /^src\/tool\.py has no run_tool/u, "def runTool():\n    pass\n"],
    [
      "of five parameters",
      /has five parameters.*Add user_variables as the sixth/u,
      entry("tool_input, metadata, config, conversation, send_status_event"),
    ],
    [
      "of other names",
      /has the parameters \(a, b, c, d, e, f\)\. Use exactly these six/u,
      entry("a, b, c, d, e, f", "def"),
    ],
    ["of any parameters", /has the parameters \(\*args, \*\*kwargs\)/u, entry("*args, **kwargs")],
    ["that is no function", /run_tool is not a function/u, "run_tool = 1\n"],
    ["that is no Python", /is not valid Python: .* in line 1/u, "def run_tool(:\n"],
  ])("refuses one %s", async (_, sentence, source) => {
    const project = await makeProject("python", { "src/tool.py": source });
    expect((await refusal(builder, project)).message).toMatch(sentence);
  });

  it("refuses a project with failing test cases or test functions", async () => {
    const functions = await makeProject("python", {
      "test/test_tool.py": "def test_product():\n    assert 2 * 2 == 5\n",
    });
    expect((await refusal(builder, functions)).message).toMatch(/^A test failed: "test_product"/u);
    const failing = await makeProject("python", {
      "test/test_tool.py":
        "import unittest\n\nclass T(unittest.TestCase):\n    def test_sum(self):\n        self.assertEqual(1, 2)\n",
    });
    expect((await refusal(builder, failing)).message).toMatch(
      /^A test failed: "test_sum"[\s\S]*1 != 2/u,
    );
  });

  it("refuses a project that imports a package missing from requirements.txt", async () => {
    const project = await makeProject("python", {
      "src/tool.py": `import nowhere\n${entry("tool_input, metadata, config, conversation, send_status_event, user_variables")}`,
      "test/test_tool.py":
        "import unittest\n\nclass T(unittest.TestCase):\n    def test_nothing(self):\n        pass\n",
    });
    expect((await refusal(builder, project)).message).toMatch(
      /^The tool could not be loaded: ModuleNotFoundError.*requirements\.txt/u,
    );
  });
});

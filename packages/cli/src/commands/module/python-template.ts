/** The files of a module in Python. Its tool counts words, until somebody makes more of it. */
export function pythonTemplate({
  name,
  tool,
}: {
  readonly name: string;
  readonly tool: string;
}): Readonly<Record<string, string>> {
  return {
    "pyproject.toml": `[project]
name = "${name}"
version = "0.1.0"
description = "A module with a tool for agents."
requires-python = ">=3.9"

[project.entry-points."amplifier.modules"]
${name} = "${tool}:mount"

[build-system]
requires = ["setuptools>=61"]
build-backend = "setuptools.build_meta"

[tool.setuptools]
py-modules = ["${tool}"]
`,
    [`${tool}.py`]: `"""A module with one tool, ${tool}."""

import logging

try:
    from amplifier_core import ToolResult
except ImportError:  # Haft has it where the module is mounted; tests run without.

    class ToolResult:
        def __init__(self, success=True, output=None, error=None):
            self.success = success
            self.output = output
            self.error = error


log = logging.getLogger(__name__)


class WordCounter:
    """Counts words."""

    def __init__(self, config):
        self.shortest = config.get("shortest", 1)

    @property
    def name(self):
        return "${tool}"

    @property
    def description(self):
        return "Counts the words of a text. Use it where the number has to be right."

    @property
    def input_schema(self):
        return {
            "type": "object",
            "properties": {
                "text": {"type": "string", "description": "The text whose words are counted."}
            },
            "required": ["text"],
            "additionalProperties": False,
        }

    async def execute(self, input):
        try:
            text = input.get("text")
            if not isinstance(text, str) or set(input) != {"text"}:
                return ToolResult(success=False, error={"message": "Give a text, and nothing else."})
            words = [word for word in text.split() if len(word) >= self.shortest]
            log.debug("counted %d words", len(words))
            return ToolResult(success=True, output={"words": len(words)})
        except Exception as error:
            return ToolResult(
                success=False, error={"message": str(error), "type": type(error).__name__}
            )


async def mount(coordinator, config):
    tool = WordCounter(config)
    await coordinator.mount("tools", tool, name="${name}")
    coordinator.register_contributor(
        "observability.events",
        "${name}",
        lambda: ["${name}:started", "${name}:completed", "${name}:error"],
    )
    return tool
`,
    [`test_${tool}.py`]: `import asyncio
import unittest

from ${tool} import WordCounter, mount


class Coordinator:
    def __init__(self):
        self.mounted = {}
        self.contributors = {}

    async def mount(self, point, tool, name=None):
        self.mounted[name] = tool

    def register_contributor(self, channel, name, callback):
        self.contributors[channel] = callback


class WordCounterTest(unittest.TestCase):
    def test_mounts_its_tool_and_registers_its_events(self):
        coordinator = Coordinator()
        tool = asyncio.run(mount(coordinator, {}))
        self.assertIs(coordinator.mounted["${name}"], tool)
        self.assertIn("${name}:started", coordinator.contributors["observability.events"]())

    def test_counts_words(self):
        result = asyncio.run(WordCounter({}).execute({"text": " one  two three "}))
        self.assertTrue(result.success)
        self.assertEqual(result.output, {"words": 3})

    def test_answers_wrong_input_with_a_failure(self):
        for input in ({}, {"text": 5}, {"text": "a", "more": True}):
            self.assertFalse(asyncio.run(WordCounter({}).execute(input)).success)


if __name__ == "__main__":
    unittest.main()
`,
    "README.md": `# ${name}

A module in Python with one tool, \`${tool}\`, in \`${tool}.py\`.

\`\`\`sh
python3 -m unittest
haft module validate . --type tool
\`\`\`

To use it, name it in a mount plan, here \`plan.yaml\` beside this directory:

\`\`\`yaml
tools:
  - module: ${name}
    source: ./${name}
    config:
      shortest: 2
    hosts: []            # what it may reach, such as api.example.com
\`\`\`

\`\`\`sh
haft call ${tool} text='to be or not to be' --mount plan.yaml
\`\`\`

Haft runs it in a process of its own, in the sandbox where there is one. If it needs other packages,
make an environment in this directory: \`python3 -m venv .venv && .venv/bin/pip install -e .\`
`,
  };
}

/** The files of a project, by path. */
export type ProjectFiles = Readonly<Record<string, string>>;

/** A tool of Node in a folder: what `tool.json` says beside what it has to, and its code. */
export function nodeProject(name: string, manifest: object, code: string): ProjectFiles {
  return {
    [`${name}/tool.json`]: toManifest(name, "node", manifest),
    // Nothing of the types is in question, and to look at them takes longest.
    [`${name}/src/tool.js`]: code,
    [`${name}/test/tool.test.js`]:
      'import { test } from "node:test";\ntest("nothing", () => {});\n',
  };
}

/** A tool of Python in a folder. */
export function pythonProject(name: string, manifest: object, code: string): ProjectFiles {
  return {
    [`${name}/tool.json`]: toManifest(name, "python", manifest),
    [`${name}/src/__init__.py`]: "",
    [`${name}/src/tool.py`]: code,
    [`${name}/test/test_tool.py`]:
      "import unittest\n\n\nclass Nothing(unittest.TestCase):\n    def test_nothing(self):\n        pass\n",
  };
}

function toManifest(name: string, runtime: "node" | "python", manifest: object): string {
  return JSON.stringify({
    name,
    description: "Does what a test wants to see.",
    runtime,
    inputSchema: { type: "object" },
    ...manifest,
  });
}

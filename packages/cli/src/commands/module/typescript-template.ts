import { version } from "../../version.ts";

/** The files of a module in TypeScript. Its tool counts words, until somebody makes more of it. */
export function typescriptTemplate({
  name,
  tool,
}: {
  readonly name: string;
  readonly tool: string;
}): Readonly<Record<string, string>> {
  return {
    "package.json": `${JSON.stringify(
      {
        name,
        version: "0.1.0",
        description: "A module with a tool for agents.",
        type: "module",
        exports: "./src/index.ts",
        scripts: {
          test: "node --test 'src/**/*.test.ts'",
          validate: "haft module validate . --type tool",
        },
        devDependencies: { "@haft/contract": version },
        engines: { node: ">=24" },
      },
      undefined,
      2,
    )}\n`,
    "src/index.ts": `import type { Coordinator, ModuleTool, ModuleToolResult } from "@haft/contract";

/** What a mount plan may say under \`config\`. */
export interface Config {
  /** Words of fewer letters do not count. */
  readonly shortest?: number;
}

/** Hangs the tool on the coordinator. */
export async function mount(coordinator: Coordinator, config: Config): Promise<ModuleTool> {
  const tool = createTool(config);
  await coordinator.mount("tools", tool, { name: "${name}" });
  coordinator.registerContributor("observability.events", "${name}", () => [
    "${name}:started",
    "${name}:completed",
    "${name}:error",
  ]);
  return tool;
}

/** Makes the tool. */
export function createTool({ shortest = 1 }: Config = {}): ModuleTool {
  return {
    name: "${tool}",
    description: "Counts the words of a text. Use it where the number has to be right.",
    input_schema: {
      type: "object",
      properties: { text: { type: "string", description: "The text whose words are counted." } },
      required: ["text"],
      additionalProperties: false,
    },
    execute: async (input): Promise<ModuleToolResult> => {
      const unknown = Object.keys(input).filter((key) => key !== "text");
      if (typeof input.text !== "string" || unknown.length > 0) {
        return { success: false, error: { message: "Give a text, and nothing else." } };
      }
      const words = input.text.split(/\\s+/u).filter((word) => word !== "");
      return { success: true, output: { words: words.filter((word) => word.length >= shortest).length } };
    },
  };
}
`,
    "src/index.test.ts": `import assert from "node:assert/strict";
import { test } from "node:test";
import { MockCoordinator } from "@haft/contract/testing";
import { createTool, mount } from "./index.ts";

test("mounts its tool and registers its events", async () => {
  const coordinator = new MockCoordinator();
  await coordinator.load(mount, {});
  assert.deepEqual([...coordinator.mounted.keys()], ["${name}"]);
  const [events] = await coordinator.collectContributions("observability.events");
  assert.deepEqual(events, ["${name}:started", "${name}:completed", "${name}:error"]);
});

test("counts words", async () => {
  const result = await createTool().execute({ text: " one  two\\nthree " });
  assert.deepEqual(result, { success: true, output: { words: 3 } });
});

test("counts no word that is too short", async () => {
  const result = await createTool({ shortest: 4 }).execute({ text: "one two three" });
  assert.deepEqual(result, { success: true, output: { words: 1 } });
});

test("answers wrong input with a failure", async () => {
  for (const input of [{}, { text: 5 }, { text: "a", more: true }]) {
    const result = await createTool().execute(input);
    assert.deepEqual(result, { success: false, error: { message: "Give a text, and nothing else." } });
  }
});
`,
    "README.md": `# ${name}

A module for Haft with one tool, \`${tool}\`, in \`src/index.ts\`.

\`\`\`sh
npm install                               # the types, and what the test needs
npm test
haft module validate . --type tool
\`\`\`

To use it, name it in a mount plan, here \`plan.yaml\` beside this directory:

\`\`\`yaml
tools:
  - module: ${name}
    source: ./${name}
    config:
      shortest: 2
\`\`\`

\`\`\`sh
haft call ${tool} text='to be or not to be' --mount plan.yaml
\`\`\`

A module runs inside of Haft with all that Haft may do. Mount only what you trust.
`,
  };
}

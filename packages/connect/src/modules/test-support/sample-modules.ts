/** The files of a package in TypeScript with one tool, which greets. */
export function greeterIn(directory: string, name = "greeter"): Record<string, string> {
  return {
    [`${directory}/package.json`]: JSON.stringify({
      name,
      version: "1.2.3",
      type: "module",
      exports: "./src/index.ts",
    }),
    [`${directory}/src/index.ts`]: `
import type { Coordinator, ModuleTool } from "@haft/contract";

interface Config { readonly greeting?: string }

export async function mount(coordinator: Coordinator, config: Config): Promise<ModuleTool> {
  const tool: ModuleTool = {
    name: "${name.replaceAll("-", "_")}",
    description: "Greets somebody.",
    input_schema: {
      type: "object",
      properties: { who: { type: "string", description: "Whom to greet." } },
      required: ["who"],
    },
    execute: async (input) => ({ success: true, output: \`\${config.greeting ?? "Hello"}, \${input.who}!\`, error: null }),
  };
  await coordinator.mount("tools", tool, { name: "${name}" });
  coordinator.registerContributor("observability.events", "${name}", () => ["${name}:started"]);
  return tool;
}
`,
  };
}

/** The files of a package in one file of JavaScript. */
export function scriptIn(directory: string, source: string): Record<string, string> {
  return {
    [`${directory}/package.json`]: JSON.stringify({ type: "module", exports: "./index.js" }),
    [`${directory}/index.js`]: source,
  };
}

/** The files of a package in Python, whose source is in `my_tool/__init__.py`. */
export function pythonIn(directory: string, source: string): Record<string, string> {
  return {
    [`${directory}/pyproject.toml`]: `
[project]
name = "my-tool"
version = "0.1.0"

[project.entry-points."amplifier.modules"]
my-tool = "my_tool:mount"
`,
    [`${directory}/my_tool/__init__.py`]: source,
  };
}

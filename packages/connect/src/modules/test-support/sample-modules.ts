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

/** The module contract's own example (002:66), as it is written there. */
export const contractTool = `
from typing import Any
from amplifier_core import ToolResult
from amplifier_core.interfaces import Tool
from amplifier_core.testing import MockCoordinator, MockTool

print("a module may print what it likes")

class MyTool:
    def __init__(self, config):
        self.config = config

    @property
    def name(self) -> str:
        return "my_tool"

    @property
    def description(self) -> str:
        return "Performs specific action with given parameters."

    @property
    def input_schema(self) -> dict:
        return {
            "type": "object",
            "properties": {
                "required_param": {"type": "string", "description": "Description of parameter"},
                "optional_param": {"type": "integer", "default": 10},
            },
            "required": ["required_param"],
        }

    async def execute(self, input: dict) -> ToolResult:
        try:
            required_param = input.get("required_param")
            if not required_param:
                return ToolResult(success=False, error={"message": "required_param is required"})
            print("working", flush=True)
            result = await self._do_work(required_param)
            return ToolResult(success=True, output=result)
        except Exception as e:
            return ToolResult(success=False, error={"message": str(e), "type": type(e).__name__})

    async def _do_work(self, param):
        if param == "broken":
            raise ValueError("out of order")
        return {"said": self.config.get("prefix", "") + param}

async def mount(coordinator, config: dict):
    tool = MyTool(config=config)
    assert isinstance(tool, Tool)
    await coordinator.mount("tools", tool, name="my-tool")
    await coordinator.hooks.emit("my-tool:mounted", {})
    coordinator.get("providers")
    coordinator.register_contributor(
        "observability.events", "my-tool",
        lambda: ["my-tool:started", "my-tool:completed", "my-tool:error"]
    )
    return tool
`;

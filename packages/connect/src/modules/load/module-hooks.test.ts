import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { createPlanFixture, writeFiles } from "../test-support/plan-fixture.ts";

// The test runner loads modules in its own way. What Node makes of them a plain process tells.
const script = `
import { openMountPlan } from ${JSON.stringify(new URL("../index.ts", import.meta.url).href)};
const plan = await openMountPlan(process.argv[2], {
  computer: { roots: ["/nowhere"], home: undefined, startProgram: () => Promise.reject(new Error("none")) },
  builtins: [],
  cacheDirectory: "/nowhere",
  environment: {},
  warn: (message) => console.log(message),
});
for (const tool of plan.tools()) {
  try {
    console.log(tool.id, await tool.execute({}, {}));
  } catch (error) {
    console.log(tool.id, error.name, error.code, error.message);
  }
}
await plan.close();
`;

describe("modules in a plain process", () => {
  it("may be TypeScript below node_modules, with more than types, and import Haft without having it; and what they print is no output", async () => {
    const { directory } = createPlanFixture({
      "node_modules/typed/package.json":
        '{"name": "typed", "type": "module", "exports": {".": {"types": "./x.d.ts", "import": "./index.ts"}}}',
      "node_modules/typed/index.ts": `
import { defineTool, type Coordinator } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { level } from "./level.ts";
export function mount(coordinator: Coordinator): Promise<void> {
  return coordinator.mount("tools", defineTool({
    id: "typed", description: "Typed.", parameters: { type: "object" }, requires: {}, kind: "other",
    execute: async (): Promise<string> => \`\${level as number} \${new MockTool({ name: "m" }).callCount}\`,
  }));
}`,
      "node_modules/typed/level.ts":
        "enum Level { High = 7 }\nexport const level: Level = Level.High;\n",
      "node_modules/common/package.json": '{"name": "common", "main": "./lib/main"}',
      "node_modules/common/lib/main.js": `
exports["mount"] = (coordinator) => coordinator.mount("tools", { name: "common", description: "c", execute: () => "old" });`,
      "own/package.json": '{"type": "module", "exports": "./index.ts"}',
      "own/index.ts": `
console.log("printed while it loads");
import { ToolError } from "@haft/contract";
export const mount = (): object => ({ name: "own", description: "o", execute: (): never => { console.info("printed", "while it works"); throw new ToolError("quota", "used up"); } });`,
      "strange/package.json": '{"type": "module", "exports": "./index.ts"}',
      "strange/index.ts": "import '@haft/nothing-of-the-kind'; export const mount = () => {};",
      "plan.yaml":
        "tools: [{module: typed}, {module: common}, {module: own, source: ./own}, {module: strange, source: ./strange}]",
    });
    writeFiles(directory, { "run.mjs": script });
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [join(directory, "run.mjs"), join(directory, "plan.yaml")],
      { env: { PATH: process.env.PATH } },
    );
    expect(stderr).toBe("printed while it loads\nprinted while it works\n");
    expect(stdout.trim().split("\n")).toEqual([
      expect.stringMatching(/strange is left out\. .*@haft\/nothing-of-the-kind/u),
      "typed 7 0",
      "common old",
      "own ToolError quota used up",
    ]);
  });
});

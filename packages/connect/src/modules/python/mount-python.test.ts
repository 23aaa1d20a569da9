import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createPlanFixture, type PlanFixture } from "../test-support/plan-fixture.ts";
import { contractTool, pythonIn } from "../test-support/sample-modules.ts";

// Tools of every kind.
const manyTools = `
import asyncio, os, time

class Tool:
    description = "One of many."
    def __init__(self, name, work):
        self.name = name
        self.work = work
    async def execute(self, input):
        return await self.work(input)

class Blocking(Tool):
    def execute(self, input):
        time.sleep(30)

async def plain(input): return {"rows": [1, 2], "when": complex(1, 2)}
async def raises(input): raise KeyError("lost")
async def dies(input):
    print("I can't go on", flush=True)
    os._exit(3)
async def meets(input):
    waiting.append(1)
    while len(waiting) < 2: await asyncio.sleep(0.01)
    return len(waiting)
async def sleeps(input):
    try: await asyncio.sleep(30)
    except asyncio.CancelledError:
        open(input["marker"], "w").close()
        raise
async def floods(input): return "x" * (17 * 1024 * 1024)
async def mark(input): return str(born)
async def exits(input): raise SystemExit(1)
async def writes(input):
    open(input["path"], "w").close()
    return "written"

waiting = []
born = time.time_ns()

def mount(coordinator, config):
    async def hang(_): pass
    for work in (plain, raises, dies, meets, sleeps, floods, mark, exits, writes):
        asyncio.get_running_loop().create_task(coordinator.mount("tools", Tool(work.__name__, work)))
    asyncio.get_running_loop().create_task(coordinator.mount("tools", Blocking("blocks", None)))
    async def settle():
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        def clean():
            open(config["log"], "a").write("cleaned")
        return clean
    return settle()
`;

// What the modules of microsoft/amplifier-module-tool-* and their suites use.
const publishedParts = `
import os
from amplifier_core import HookRegistry, HookResult, ModuleCoordinator, ToolCall, ToolResult
from amplifier_core.events import ARTIFACT_WRITE
from amplifier_core.testing import MockCoordinator, MockTool

def faults(make):
    try: make()
    except ValueError as error: return [fault["loc"][0] for fault in error.errors()]

def positional():
    try: ToolResult(True)
    except TypeError as error: return type(error).__name__

class Parts:
    name = "parts"
    description = "Shows what a module can import."
    def __init__(self, coordinator): self.coordinator = coordinator
    async def execute(self, input):
        hooks, seen = HookRegistry(), []
        async def first(event, data):
            seen.append(data["by"])
            return HookResult(action="modify", data={"by": "two"})
        async def second(event, data):
            seen.append(data["by"])
            return HookResult(action="deny", reason="no")
        hooks.register("a:b", second, priority=2)
        hooks.register("a:b", first, priority=1)
        tool, coordinator = MockTool(name="t", output="mock result"), MockCoordinator()
        result = await tool.execute({})
        tool.execute.assert_called_once_with({})
        await coordinator.mount("tools", tool)
        return ToolResult(output={
            "event": ARTIFACT_WRITE,
            "dump": ToolResult(success=False, error={"message": "no"}).model_dump(),
            "short": ToolResult(output={"a": 1}, unknown=2).model_dump_json(exclude_none=True),
            "converted": ToolResult.model_validate({"success": "true"}).success,
            "faults": [
                faults(lambda: ToolResult(success="perhaps")), faults(lambda: ToolResult(error="text")),
                faults(lambda: ToolCall(id="1")), faults(lambda: HookResult(action="explode")),
            ],
            "positional": positional(),
            "hooks": [seen, (await hooks.emit("a:b", {"by": "one"})).action],
            "mock": [
                tool.call_count, result.output, isinstance(coordinator, ModuleCoordinator),
                [one["mount_point"] for one in coordinator.mount_history],
                list(coordinator.mount_points["tools"]),
            ],
            "place": self.coordinator.get_capability("session.working_dir") == os.getcwd(),
        })

async def mount(coordinator, config):
    await coordinator.mount("tools", Parts(coordinator), name="parts")
`;

const badModules: readonly [source: string, warning: RegExp][] = [
  ["def mount(c, config): raise RuntimeError('no luck')", /RuntimeError: no luck/u],
  ["import os\ndef mount(c, config): os._exit(1)", /process ended with code 1/u],
  ["other = 1", /AttributeError: .*mount/u],
  ["def mount(:", /SyntaxError/u],
  ["import not_there_either", /not_there_either.*python3 -m venv/u],
  ["def mount(c, config): return 5", /TypeError: mount returned a int/u],
  [
    "class T: name = 't'; description = 'd'\nasync def mount(c, config): await c.mount('tools', T())",
    /"t", which has no function execute/u,
  ],
  [
    "class T:\n  @property\n  def name(self): raise ValueError('shy')\nasync def mount(c, config): await c.mount('tools', T())",
    /ValueError: shy/u,
  ],
];

function createFixture(
  source: string,
  entry = "{ module: my-tool, source: ./my-tool }",
): PlanFixture {
  return createPlanFixture({
    ...pythonIn("my-tool", source),
    "plan.yaml": `tools:\n  - ${entry}\n`,
  });
}

describe("a module in Python", () => {
  it("is found on this machine: python3 has to be on the PATH for these tests", () => {
    expect(execFileSync("python3", ["--version"], { encoding: "utf8" })).toMatch(/^Python 3\./u);
  });

  it("works as the module contract has it", async () => {
    const fixture = createFixture(
      contractTool,
      '{ module: my-tool, source: ./my-tool, config: { prefix: "> " } }',
    );
    const plan = await fixture.open();
    expect(fixture.warnings).toEqual([]);
    const session = fixture.session(plan);
    const call = (input: object): Promise<unknown> =>
      session.call({ name: "my_tool", arguments: { ...input } });
    const [tool] = plan.tools();
    expect(tool).toMatchObject({ id: "my_tool", source: "module", aliases: [{ name: "my-tool" }] });
    expect(await call({ required_param: "value" })).toMatchObject({
      data: { said: "> value" },
      metadata: { isolation: tool?.isolation },
    });
    expect(await call({ required_param: "broken" })).toMatchObject({
      error_text: "out of order",
      metadata: { error_code: "failed", error_type: "ValueError" },
    });
    expect(await call({})).toMatchObject({ metadata: { error_code: "invalid-arguments" } });
    plan.attach(session);
    expect(await session.collectContributions("observability.events")).toEqual([
      ["my-tool:started", "my-tool:completed", "my-tool:error"],
    ]);
  });

  it("has the amplifier_core that published modules import", async () => {
    const fixture = createFixture(publishedParts);
    const session = fixture.session(await fixture.open());
    expect(fixture.warnings).toEqual([]);
    expect(await session.call({ name: "parts", arguments: {} })).toMatchObject({
      data: {
        event: "artifact:write",
        dump: { success: false, output: "no", error: { message: "no" } },
        short: '{"success":true,"output":{"a":1}}',
        converted: true,
        faults: [["success"], ["error"], ["name", "arguments"], ["action"]],
        positional: "TypeError",
        hooks: [["one", "two"], "deny"],
        mock: [1, "mock result", true, ["tools"], ["t"]],
        place: true,
      },
    });
    const missing = createFixture("from amplifier_core import ChatRequest");
    await missing.open();
    expect(missing.warnings).toEqual([
      expect.stringMatching(/ImportError: cannot import name 'ChatRequest'.*pip install -e/u),
    ]);
  });

  it("runs calls side by side, gives plain data, and survives what its tools throw", async () => {
    const fixture = createFixture(
      manyTools,
      "{ module: m, source: ./my-tool, config: { log: l } }",
    );
    const plan = await fixture.open();
    expect(fixture.warnings).toEqual([]);
    const tools = new Map(plan.tools().map((tool) => [tool.id, tool]));
    const { createTestRuntime } = await import("@haft/contract/testing");
    const run = (name: string, input: object = {}): Promise<unknown> =>
      tools.get(name)?.execute(input, createTestRuntime()) ?? Promise.reject(new Error(name));
    expect(await run("plain")).toEqual({ rows: [1, 2], when: "(1+2j)" });
    await expect(run("raises")).rejects.toThrow("KeyError: 'lost'");
    await expect(run("exits")).rejects.toThrow("SystemExit: 1");
    expect(await Promise.all([run("meets"), run("meets")])).toEqual([2, 2]);
    await expect(run("floods")).rejects.toMatchObject({ code: "too-large" });
    expect(await run("mark")).toBeTypeOf("string");
    await plan.close();
    expect(readFileSync(join(fixture.workspace, "l"), "utf8")).toBe("cleaned");
    await expect(run("mark")).rejects.toThrow("The module was unmounted.");
  });

  it("is started again by the call after the one that it died of", async () => {
    const fixture = createFixture(
      manyTools,
      "{ module: m, source: ./my-tool, config: { log: l } }",
    );
    const session = fixture.session(await fixture.open());
    const { data: before } = (await session.call({ name: "mark" })) as unknown as { data: string };
    expect(await session.call({ name: "dies" })).toMatchObject({
      error_text: expect.stringMatching(/process ended with code 3\..*I can't go on/su),
      metadata: { error_code: "unavailable" },
    });
    const again = (await session.call({ name: "mark" })) as unknown as { data: string };
    expect(again.data).toBeTypeOf("string");
    expect(again.data).not.toBe(before);
  });

  it("is told to stop, and ended if it does not listen", async () => {
    const fixture = createFixture(
      manyTools,
      "{ module: m, source: ./my-tool, config: { log: l } }",
    );
    const session = fixture.session(await fixture.open());
    const stop = async (name: string, input: Record<string, string>): Promise<unknown> => {
      const controller = new AbortController();
      session.on("tool:pre", () => setTimeout(() => controller.abort(), 200));
      return session.call({ name, arguments: input }, { signal: controller.signal });
    };
    const cancelled = { metadata: { error_code: "cancelled" } };
    const { data: before } = (await session.call({ name: "mark" })) as unknown as { data: string };
    expect(await stop("sleeps", { marker: "stopped" })).toMatchObject(cancelled);
    expect(existsSync(join(fixture.workspace, "stopped"))).toBe(true);
    expect(await session.call({ name: "mark" })).toMatchObject({ data: before });
    expect(await stop("blocks", {})).toMatchObject(cancelled);
    const again = (await session.call({ name: "mark" })) as unknown as { data: string };
    expect(again.data).toBeTypeOf("string");
    expect(again.data).not.toBe(before);
  });

  it("can write in the workspace, and where there is a sandbox nowhere else", async () => {
    const fixture = createFixture(
      manyTools,
      "{ module: m, source: ./my-tool, config: { log: l } }",
    );
    const plan = await fixture.open();
    const session = fixture.session(plan);
    const write = (path: string): Promise<unknown> =>
      session.call({ name: "writes", arguments: { path } });
    expect(await write("inside.txt")).toMatchObject({ data: "written" });
    const outside = join(fixture.directory, "my-tool", "outside.txt");
    const isConfined = plan.tools()[0]?.isolation === "sandbox";
    expect(await write(outside)).toMatchObject({ type: isConfined ? "error" : "output" });
    expect(existsSync(outside)).toBe(!isConfined);
  });

  it("causes one warning for each bad module, and the others continue", async () => {
    const places = badModules.map((_, index) => `bad-${index}`);
    const plan = places.map((place) => `  - { module: ${place}, source: ./${place} }\n`);
    const fixture = createPlanFixture({
      ...Object.assign({}, ...badModules.map(([source], at) => pythonIn(`bad-${at}`, source))),
      ...pythonIn("good", contractTool),
      // Found in src too, and free to mount nothing.
      "quiet/pyproject.toml": `[project.entry-points."amplifier.modules"]\nquiet = "quiet:mount"\n`,
      "quiet/src/quiet.py": "async def mount(coordinator, config):\n    return None\n",
      "plan.yaml": `tools:\n${plan.join("")}  - { module: my-tool, source: ./good }\n  - { module: quiet, source: ./quiet }\n`,
    });
    const mounted = await fixture.open();
    expect(mounted.tools().map(({ id }) => id)).toEqual(["my_tool"]);
    const warnings = places.map((place) =>
      fixture.warnings.filter((warning) => warning.includes(`${place} is left out`)),
    );
    expect(warnings).toEqual(badModules.map(([, message]) => [expect.stringMatching(message)]));
    expect(fixture.warnings).toHaveLength(badModules.length);
  });

  it("causes one warning if it hangs in mount", async () => {
    const fixture = createFixture("import time\ndef mount(c, config): time.sleep(60)");
    expect((await fixture.open({ mountLimitMs: 200 })).tools()).toEqual([]);
    expect(fixture.warnings).toEqual([expect.stringMatching(/did not finish within 0\.2 s/u)]);
  });

  it("causes one warning without Python", async () => {
    const fixture = createFixture(contractTool);
    await fixture.open({ environment: { PATH: "/nowhere" } });
    expect(fixture.warnings).toEqual([
      expect.stringMatching(/there is no python3 on the PATH\. Install Python 3\.9 or later/u),
    ]);
  });
});

describe("the entry point of a module in Python", () => {
  it.each([
    ["is not named", "[project]\nname = 'x'", /has no entry point\. Add \[project\.entry-points/u],
    [
      "is one of several",
      '[project.entry-points."amplifier.modules"]\na = "a:m"\nb = "b:m"',
      /has the entry points a, b/u,
    ],
    [
      "names no function",
      '[project.entry-points."amplifier.modules"]\na = "a"',
      /the entry point a is "a"\. It must be MODULE:FUNCTION/u,
    ],
    ["stands in what is not TOML", "[project", /is not valid TOML/u],
  ])("causes one warning if it %s", async (_, toml, message) => {
    const fixture = createPlanFixture({
      "my-tool/pyproject.toml": toml,
      "plan.yaml": "tools: [{ module: my-tool, source: ./my-tool }]",
    });
    await fixture.open();
    expect(fixture.warnings).toEqual([expect.stringMatching(message)]);
  });
});

import type { Tool, ToolResult } from "@haft/contract";
import { codex, createScriptedHost, parseRule, type Session } from "@haft/core";
import { describe, expect, it } from "vitest";
import { openPrograms } from "./test-support/open-programs.ts";

type Options = Parameters<typeof openPrograms>[1];

/** A tool whose calls end when the test says so. */
function createGate(runsAlone = false) {
  const calls: PromiseWithResolvers<string>[] = [];
  let onCall = Promise.withResolvers<void>();
  const tool: Tool = {
    id: "gate",
    description: "Waits.",
    parameters: { type: "object" },
    requires: {},
    kind: "other",
    source: "module",
    timeoutMs: "none",
    execution: { serial: runsAlone, resourceKeys: () => [] },
    execute: async (_, { signal }) => {
      const call = Promise.withResolvers<string>();
      signal.addEventListener("abort", () => call.reject(new Error("aborted")));
      calls.push(call);
      onCall.resolve();
      return call.promise;
    },
  };
  return {
    tool,
    /** Resolves when the next call waits. */
    async called(): Promise<PromiseWithResolvers<string>> {
      while (calls.length === 0) {
        await onCall.promise;
        onCall = Promise.withResolvers();
      }
      return calls.shift() as PromiseWithResolvers<string>;
    },
  };
}

function open(files: Readonly<Record<string, string>> = {}, options: Options = {}) {
  const opened = openPrograms(files, { dialect: codex, ...options });
  const { session } = opened;
  const content = (result: ToolResult): unknown[] =>
    result.type === "output"
      ? (result.data as { content: { text?: string }[] }).content.map(
          ({ text, ...item }) => text ?? item,
        )
      : [result.error_text];
  const exec = async (input: string, id?: string): Promise<unknown[]> =>
    content(await session.call({ name: "exec", arguments: { input }, ...(id && { id }) }));
  const wait = async (args: Record<string, unknown>): Promise<unknown[]> =>
    content(await session.call({ name: "wait", arguments: args as never }));
  return { ...opened, exec, wait };
}

const header = (state: string): unknown =>
  expect.stringMatching(new RegExp(`^Script ${state}\nWall time \\d+\\.\\d seconds\nOutput:\n$`));

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

describe("exec", () => {
  it("returns one item for each output, and the results of calls in the forms of Codex", async () => {
    const { exec, root } = open({ "a.txt": "alpha\n" });
    expect(
      await exec(`
        const done = await tools.exec_command({ cmd: "cat a.txt; exit 3" });
        text(done.exit_code); text(done.output); text(Object.keys(done));
        text(await tools.shell_command({ command: "true" }));
        const failure = await tools.apply_patch({ input: "no patch" }).catch((error) => error);
        text(typeof failure);
        text({ a: [1], b: new Map([["c", 2n]]) });
        text([typeof console, typeof print, typeof ToolError, typeof WebAssembly, typeof require]);
        text(ALL_TOOLS.find(({ name }) => name === "apply_patch").description.includes("input: string"));
        text(ALL_TOOLS.some(({ name }) => ["exec", "wait", "run_code", "undo_edit"].includes(name)));
        image("data:image/png;base64,${pixel}", "high");
        image({ type: "image", data: "${pixel}", mimeType: "image/png" });
      `),
    ).toEqual([
      header("completed"),
      "3",
      "alpha\n",
      '["wall_time_seconds","exit_code","output"]',
      expect.stringMatching(/^Exit code: 0\nWall time: [\d.]+ seconds\nOutput:\n$/u),
      "string",
      '{"a":[1],"b":{"c":"2n"}}',
      '["undefined","undefined","undefined","undefined","undefined"]',
      "true",
      "false",
      { type: "image", media_type: "image/png", data: pixel, detail: "high" },
      { type: "image", media_type: "image/png", data: pixel },
    ]);
    expect(root).not.toBe("");
  });

  it("shows an image of the workspace, and refuses one from elsewhere", async () => {
    const { exec } = open({ "dot.txt": "no image" });
    const [, , refusal] = await exec(
      'text(await tools.view_image({ path: "dot.txt" }).then(({ type }) => type)); image("https://a.io/a.png")',
    );
    expect(refusal).toMatch(/^Script error:\n.*TypeError: image: give a data: URL/u);
  });

  it("says why a script failed, after its output, and what it can't call", async () => {
    const { exec } = open();
    expect(await exec("text(1);\nnope()")).toEqual([
      header("failed"),
      "1",
      expect.stringMatching(/^Script error:\n.*line 2: ReferenceError: nope is not defined/u),
    ]);
    const others = [
      ["exec", '{ input: "1" }'],
      ["wait", '{ cell_id: "1" }'],
      ["undo_edit", "{}"],
    ];
    for (const [name, args] of others) {
      const [, error] = await exec(`await tools.${name}(${args})`);
      expect(error).toContain(`A program can't call ${name}.`);
    }
    expect(await exec('await import("node:fs")')).toEqual([
      header("failed"),
      expect.stringContaining("Modules can't be imported"),
    ]);
  });

  it("ends at exit(), and keeps values for later programs", async () => {
    const { exec } = open();
    const code = 'store("x", { a: 1 }); text("kept"); try { exit(); } finally { text("lost"); }';
    expect(await exec(code)).toEqual([header("completed"), "kept"]);
    expect(await exec('text(load("x").a)')).toEqual([header("completed"), "1"]);
  });

  it("cuts the middle of what is longer than it may be", async () => {
    const { exec } = open();
    const [, first, last] = await exec(
      '// @exec: {"max_output_tokens": 5}\ntext("0123456789ABCDE"); text("fghijklmno"); text("pqrstuvwxyz")',
    );
    expect(first).toMatch(/^0123456789\n\[… 16 characters left out here/u);
    expect(last).toBe("qrstuvwxyz");
  });

  it.each([
    ['// @exec: {"yield": 1}\ntext(1)', 'unknown key "yield"'],
    ['// @exec: {"yield_time_ms": 1.5}\ntext(1)', "not a whole number"],
    ['// @exec: {"max_output_tokens": -1}\ntext(1)', "not a whole number"],
    ['// @exec: {"yield_time_ms": 1}', "no program below it"],
    ['// @exec: {"yield_time_ms": 1}\n\n', "no program below it"],
    ["// @exec: 5\ntext(1)", "not a JSON object"],
    ["// @exec: {yield_time_ms: 1}\ntext(1)", "not valid JSON"],
  ])("refuses the first line of %j", async (code, reason) => {
    const [error] = await open().exec(code);
    expect(error).toContain(reason);
  });
});

describe("a cell that goes on", () => {
  it("returns only what is new, runs beside what waits for it, and closes at its end", async () => {
    const gate = createGate(true);
    const { exec, wait, session } = open({}, { tools: [gate.tool] });
    expect(
      await exec('text("one"); yield_control(); text(await tools.gate({})); text("three")'),
    ).toEqual([header("running with cell ID 1"), "one"]);
    const call = await gate.called();
    expect(await wait({ cell_id: "1", yield_time_ms: 0 })).toEqual([
      header("running with cell ID 1"),
    ]);
    const waiting = wait({ cell_id: 1 });
    call.resolve("two");
    expect(await waiting).toEqual([header("completed"), "two", "three"]);
    expect(await wait({ cell_id: "1" })).toEqual(['There is no cell "1". No cell is open.']);
    expect(session.takeNotices()).toEqual([]);
  });

  it("yields after its time", async () => {
    const gate = createGate();
    const { exec, wait } = open({}, { tools: [gate.tool] });
    const code = '// @exec: {"yield_time_ms": 1}\nawait tools.gate({}); text("late")';
    expect(await exec(code)).toEqual([header("running with cell ID 1")]);
    (await gate.called()).resolve("");
    expect(await wait({ cell_id: "1" })).toEqual([header("completed"), "late"]);
  });

  it("has its calls recorded below the call that started it, and undone with it as one", async () => {
    const gate = createGate();
    const opened = open({ "a.txt": "a\n", "b.txt": "b\n" }, { tools: [gate.tool] });
    const { exec, wait, session, recorder, read } = opened;
    const change = (file: string, to: string) =>
      `await tools.apply_patch({ input: ${JSON.stringify(
        `*** Begin Patch\n*** Update File: ${file}\n@@\n-${file[0]}\n+${to}\n*** End Patch`,
      )} });`;
    await exec(
      `${change("a.txt", "A")} yield_control(); await tools.gate({}); ${change("b.txt", "B")}`,
      "outer",
    );
    await session.call({ name: "write", arguments: { path: "own.txt", content: "mine" } });
    (await gate.called()).resolve("");
    expect(await wait({ cell_id: "1" })).toEqual([header("completed")]);
    expect([read("a.txt"), read("b.txt")]).toEqual(["A\n", "B\n"]);
    const rows = [...recorder.list(session.id)];
    const inner = rows.filter(({ result }) => result.metadata.parent_id === "outer");
    expect(inner.map(({ tool }) => tool)).toEqual(["apply_patch", "gate", "apply_patch"]);
    await session.call({ name: "undo_edit", arguments: {} });
    expect([read("a.txt"), read("b.txt"), read("own.txt")]).toEqual(["a\n", "b\n", "mine\n"]);
  });

  it("is ended with terminate, together with its calls", async () => {
    const gate = createGate();
    const { exec, wait, recorder, session } = open({}, { tools: [gate.tool] });
    await exec("yield_control(); await tools.gate({});");
    await gate.called();
    expect(await wait({ cell_id: "1", terminate: true })).toEqual([header("terminated")]);
    const [gated] = [...recorder.list(session.id)].filter(({ tool }) => tool === "gate");
    expect(gated?.state).toBe("cancelled");
  });

  it("is ended and named when its session ends, and with an abort", async () => {
    const gate = createGate();
    const { exec, wait, session } = open({}, { tools: [gate.tool] });
    const warnings: string[] = [];
    session.on("session:warning", ({ message }) => warnings.push(message));
    const forever = "yield_control(); for (;;) await tools.gate({}).catch(() => {});";
    await exec(forever);
    await gate.called();
    session.abort();
    expect(await wait({ cell_id: "1" })).toEqual([expect.stringContaining("There is no cell")]);
    await exec(forever);
    await gate.called();
    await session.suspend();
    expect(warnings).toEqual([
      "Cell 2 was stopped because its session ended. What it changed stays.",
    ]);
  });

  it("tells the model what it notifies it of, with the next result", async () => {
    const gate = createGate();
    const { exec, session } = open({}, { tools: [gate.tool] });
    await exec('yield_control(); await tools.gate({}); notify("half done"); await tools.gate({})');
    (await gate.called()).resolve("");
    await gate.called();
    const result = await session.call({ name: "update_plan", arguments: { plan: [] } });
    expect(result.metadata.notices).toEqual(["Cell 1: half done"]);
  });

  it("asks about its calls, and a person can stop it", async () => {
    const gate = createGate();
    const host = createScriptedHost({ ask: ["once", "stop"] });
    const rules = ["run_code * allow", "code_output * allow"].map(parseRule);
    const { exec, wait } = open({}, { tools: [gate.tool], rules, host });
    await exec("yield_control(); text(await tools.gate({})); await tools.gate({})");
    const first = await gate.called();
    const waiting = wait({ cell_id: "1" });
    first.resolve("allowed");
    const ended = await waiting;
    expect(ended.slice(0, 2)).toEqual([header("failed"), "allowed"]);
    expect(host.asked.map(({ program }) => program?.call)).toEqual([1, 2]);
  });

  it("is one of a limited number", async () => {
    const gate = createGate();
    const { exec, wait } = open({}, { tools: [gate.tool] });
    const started = await Promise.all(
      Array.from({ length: 9 }, () => exec("yield_control(); await tools.gate({})")),
    );
    const refused = started.flat().filter((text) => String(text).includes("8 cells still run"));
    expect(refused).toEqual([
      "8 cells still run: 1, 2, 3, 4, 5, 6, 7, 8. Wait for one with `wait`, or terminate it.",
    ]);
    await wait({ cell_id: "3", terminate: true });
    expect((await exec("text(1)"))[0]).toEqual(header("completed"));
  });
});

describe("the definition of exec", () => {
  it("fits the description that providers allow, and names its tools as the model knows them", () => {
    const { session } = open();
    const find = (name: string): ReturnType<Session["tools"]>[number] | undefined =>
      session.tools().find((tool) => tool.name === name);
    expect(find("exec")?.description.length).toBeLessThanOrEqual(1024);
    expect(find("exec")?.description).toContain("`wait`");
    expect(find("wait")?.description).toContain("`exec`");
    expect(find("run_code")).toBeUndefined();
  });
});

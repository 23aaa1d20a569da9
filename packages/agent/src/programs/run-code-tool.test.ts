import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Tool, ToolResult } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { claude, createScriptedHost, headlessHost, parseRule } from "@haft/core";
import { describe, expect, it } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import type { RunCodeData } from "./run-code.ts";
import { openPrograms } from "./test-support/open-programs.ts";

function dataOf(result: ToolResult<RunCodeData>): RunCodeData {
  if (result.type === "error") throw new Error(result.error_text);
  return result.data;
}

const textOf = (result: ToolResult): string => (result.type === "error" ? result.error_text : "");

describe.skipIf(isMissing("bwrap"))("run_code", () => {
  it("calls tools and returns only what the program prints and returns", async () => {
    const { run } = openPrograms({ "a.txt": "one\n", "b.txt": "two\n" });
    const result = await run(`
      interface Page { content: string }
      const pages = await Promise.all(
        ["a.txt", "b.txt"].map((path): Promise<Page> => tools.read({ path })),
      );
      print("read", pages.length, { first: pages[0].content });
      return pages.map(({ content }) => content.length);
    `);
    expect(dataOf(result)).toEqual({ output: 'read 2 {"first":"1: one"}\n', result: [6, 6] });
    expect(result.metadata.isolation).toBe("sandbox");
  });

  it("adds a returned text to the output, and says if there is nothing", async () => {
    const { run } = openPrograms();
    expect(dataOf(await run('console.log("a"); return "b";'))).toEqual({ output: "a\nb" });
    expect(dataOf(await run("const a = 1;"))).toEqual({
      message: "The program ended. It printed and returned nothing.",
    });
    expect(dataOf(await run("```ts\nreturn 1n + 1n;\n```"))).toEqual({ output: "2n" });
  });

  it("needs a program", async () => {
    const { session } = openPrograms();
    for (const args of [{}, { code: "" }]) {
      expect(await session.call({ name: "run_code", arguments: args })).toMatchObject({
        metadata: { error_code: "invalid-arguments" },
      });
    }
  });

  it("throws for a failed call, with its code and its text", async () => {
    const { run } = openPrograms();
    const code = `
      try { await tools.read({ path: "no.txt" }); } catch (error) {
        return [error.code, error instanceof ToolError, error.message.includes("no.txt")];
      }`;
    expect(dataOf(await run(code)).result).toEqual(["not-found", true, true]);
    const failed = await run('\nawait tools.read({ path: "no.txt" });');
    expect(failed).toMatchObject({ metadata: { error_code: "failed" } });
    expect(textOf(failed)).toMatch(
      /^The program failed at line 2: ToolError: .*no\.txt.*not-found/u,
    );
  });

  it("runs nothing of a program with a mistake, and returns its place and the right signature", async () => {
    const { run, session, recorder, root } = openPrograms({ "a.txt": "one\n" });
    const result = await run(
      'await tools.write({ path: "b.txt", content: "x" });\nawait tools.read({ file: "a.txt" });',
    );
    expect(result).toMatchObject({ metadata: { error_code: "invalid-arguments" } });
    expect(textOf(result)).toMatch(
      /^The program has an error:\n\n2:20 tools\.read has no parameter file\. .*\n {4}await tools\.read\(.*\n\nread\(args: \{\n {2}path: string;[\s\S]*\n\nNothing ran\.$/u,
    );
    expect([...recorder.list(session.id)].map(({ name }) => name)).toEqual(["run_code"]);
    expect(existsSync(join(root, "b.txt"))).toBe(false);
  });

  it("names the line of an exception, and what was printed before", async () => {
    const { run } = openPrograms();
    expect(textOf(await run("const a = {};\nwith (a) {}"))).toContain(
      "failed at line 2: SyntaxError",
    );
    const thrown = textOf(await run('print("so far");\n\nnull.x;'));
    expect(thrown).toMatch(/failed at line 3: TypeError.*\n.*\n\nOutput so far:\nso far/u);
  });

  it("gives tools their names as identifiers, and finds and describes them", async () => {
    const tool = new MockTool({
      name: "crm-find",
      output: "found",
      description: "Finds a customer by phone number.",
      parameters: {
        type: "object",
        properties: { phone: { type: "string", description: "The number." } },
        required: ["phone"],
        additionalProperties: false,
      },
    });
    const { run } = openPrograms({}, { tools: [tool as Tool] });
    const result = await run(`
      return [
        await tools.crm_find({ phone: "1" }),
        await tools["crm-find"]({ phone: "2" }),
        (await tools.$search("customer phone"))[0].name,
        await tools.$describe("crm_find"),
        Object.keys(tools).includes("crm_find"),
        await tools.$describe("crm_fnd").catch((error) => error.message),
        await tools["no_such" + "_tool"]().catch((error) => error.code),
      ];`);
    expect(dataOf(result).result).toEqual([
      "found",
      "found",
      "crm_find",
      "/** Finds a customer by phone number. */\ncrm_find(args: {\n  phone: string; // The number.\n}): Promise<any>;",
      true,
      expect.stringContaining("Did you mean crm_find"),
      "unknown-tool",
    ]);
    expect(tool.inputs).toEqual([{ phone: "1" }, { phone: "2" }]);
  });

  it("calls tools by the names of the session's dialect", async () => {
    const { run } = openPrograms({ "a.txt": "one\n" }, { dialect: claude });
    const result = await run('return await tools.Read({ file_path: "a.txt" });');
    expect(dataOf(result).output).toContain("one");
  });

  it("keeps values for later programs of the session", async () => {
    const { run } = openPrograms();
    await run('store("seen", { files: ["a"] }); store("other", 1);');
    await run('store("other", undefined); throw new Error("ends");');
    expect(dataOf(await run('return [load("seen"), load("other") === undefined];')).result).toEqual(
      [{ files: ["a"] }, true],
    );
    const full = await run('store("big", "x".repeat(300_000));');
    expect(textOf(full)).toContain("RangeError: store:");
    expect(dataOf(await run('return load("big") === undefined;')).result).toBe(true);
  });

  it("records its calls below its own, and undoes all of their changes at once", async () => {
    const { session, recorder, root, run, read } = openPrograms({ "a.txt": "one\n" });
    const result = await run(`
      await tools.edit({ path: "a.txt", old_string: "one", new_string: "two" });
      await tools.write({ path: "b.txt", content: "new" });
      await tools.bash({ command: "echo three >c.txt; rm b.txt" });
    `);
    expect(result).toMatchObject({
      type: "output",
      metadata: { reversible: true, track_files: expect.arrayContaining([join(root, "a.txt")]) },
    });
    const rows = [...recorder.list(session.id)];
    const own = rows.find(({ name }) => name === "run_code")?.callId;
    expect(rows.map(({ name, result }) => [name, result.metadata.parent_id])).toEqual([
      ["edit", own],
      ["write", own],
      ["bash", own],
      ["run_code", undefined],
    ]);
    expect(read("c.txt")).toBe("three\n");
    expect(await session.call({ name: "undo_edit" })).toMatchObject({ type: "output" });
    expect(read("a.txt")).toBe("one\n");
    expect(["b.txt", "c.txt"].filter((name) => existsSync(join(root, name)))).toEqual([]);
  });

  it("can't run programs or undo changes itself", async () => {
    const { run } = openPrograms();
    const code = (call: string) => `return await ${call}.catch((error) => error.code);`;
    expect(dataOf(await run(code('tools.run_code({ code: "1" })'))).output).toBe("not-available");
    expect(dataOf(await run(code("tools.undo_edit()"))).output).toBe("not-available");
  });

  it("is bound by the mode and the rules of its session", async () => {
    const { run, session } = openPrograms(
      { "a.txt": "one\n", ".env": "KEY=1\n" },
      {
        mode: { includeTools: ["run_code", "read", "write"] },
        rules: ["read ** allow", "fs.write a.txt deny", "fs.write ** allow"].map(parseRule),
      },
    );
    const code = `
      const codes = [];
      for (const call of [
        () => tools.bash({ command: "ls" }),
        () => tools.write({ path: "a.txt", content: "x" }),
        () => tools.read({ path: "/etc/passwd" }),
        () => tools.read({ path: ".env" }),
        () => tools.write({ path: "b.txt", content: "x" }),
      ]) codes.push(await call().then(() => "done", (error) => error.code));
      return codes;`;
    const direct: string[] = [];
    for (const request of [
      { name: "bash", arguments: { command: "ls" } },
      { name: "write", arguments: { path: "a.txt", content: "x" } },
      { name: "read", arguments: { path: "/etc/passwd" } },
      { name: "read", arguments: { path: ".env" } },
      { name: "write", arguments: { path: "b.txt", content: "x" } },
    ]) {
      direct.push((await session.call(request)).metadata.error_code ?? "done");
    }
    expect(dataOf(await run(code)).result).toEqual(direct);
    expect(direct).toContain("denied");
    expect(direct).toContain("done");
  });

  it("asks about its calls, and stops its clock meanwhile", async () => {
    const host = createScriptedHost({ ask: ["once", "program"] });
    const { run } = openPrograms({}, { rules: [], host });
    const result = await run(`
      for (const path of ["a.txt", "b/1.txt", "b/2.txt"]) await tools.write({ path, content: "x" });
      return "done";`);
    expect(dataOf(result).output).toBe("done");
    expect(host.asked.map(({ program }) => program?.call)).toEqual([1, 2]);
  });

  it("lets a person stop the program", async () => {
    const host = createScriptedHost({ ask: "stop" });
    const { run, root } = openPrograms({}, { rules: [], host });
    const result = await run(`
      print("before");
      await tools.write({ path: "a.txt", content: "x" }).catch(() => {});
      await tools.write({ path: "b.txt", content: "x" });`);
    expect(result).toMatchObject({ metadata: { error_code: "rejected-by-user" } });
    expect(textOf(result)).toContain("The user stopped this program.");
    expect(textOf(result)).toContain("before");
    expect(existsSync(join(root, "b.txt"))).toBe(false);
  });

  it("gets the refusal of a session that is not interactive", async () => {
    const { run } = openPrograms({}, { rules: [], host: headlessHost });
    const code = 'return await tools.write({ path: "a", content: "" }).catch(({ code }) => code);';
    expect(dataOf(await run(code)).output).toBe("headless");
  });
});

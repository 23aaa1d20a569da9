import { execFile } from "node:child_process";
import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Clock } from "@haft/core";
import { describe, expect, it } from "vitest";
import { usualSandbox } from "./test-support/lsp-bench.ts";
import { openScriptedBench } from "./test-support/scripted-server.ts";

const path = "a.yaml";
const hover = { operation: "hover", path, symbol: "first" } as const;
const hoverWith = (value: string): string =>
  `if (message.method === "textDocument/hover") return { contents: ${value} };`;

describe("language servers", () => {
  it("are started once, confined, for all who ask at the same time", async () => {
    const { ask, started, root } = openScriptedBench({ script: hoverWith('"yes"') });
    const all = await Promise.all([1, 2, 3, 4, 5].map(() => ask(hover)));
    expect(all.map((data) => data.hover)).toEqual(Array(5).fill("yes"));
    expect(started).toHaveLength(1);
    expect(started[0]?.start).toMatchObject({ isUntrusted: true, writes: [], cwd: root });
    expect(started[0]?.start.hosts).toBeUndefined();
    expect(started[0]?.program.isolation).toBe(usualSandbox === "off" ? "none" : "sandbox");
  });

  it("get answers to what they ask of an editor", async () => {
    const { ask, root } = openScriptedBench({
      script: `
        const asked = [
          ["workspace/configuration", { items: [{ section: "a" }, { section: "b" }] }],
          ["workspace/workspaceFolders", null],
          ["client/registerCapability", { registrations: [{ id: "1", method: "textDocument/references" }] }],
          ["window/workDoneProgress/create", { token: 1 }],
          ["workspace/applyEdit", { edit: {} }],
          ["window/showMessageRequest", { type: 1, message: "?", actions: [] }],
          ["some/thing", {}],
        ];
        if (message.method === "initialized") {
          asked.forEach(([method, params], id) => send({ id, method, params }));
        }
        if (message.method === "textDocument/hover") {
          const got = heard.filter((other) => other.method === undefined);
          return { contents: JSON.stringify(got.map(({ result, error }) => error?.code ?? result)) };
        }
        if (message.method === "textDocument/references") return [];
      `,
    });
    await expect.poll(async () => JSON.parse((await ask(hover)).hover ?? "")).toHaveLength(7);
    const [configuration, folders, ...others] = JSON.parse((await ask(hover)).hover ?? "");
    expect(configuration).toEqual([{}, {}]);
    expect(folders).toEqual([{ uri: `file://${root}`, name: "workspace" }]);
    const refused = { applied: false, failureReason: expect.any(String) };
    expect(others).toEqual([null, null, refused, null, -32601]);
    // It did not offer that when it started.
    const references = await ask({ ...hover, operation: "references" });
    expect(references).toMatchObject({
      locations: [],
      message: expect.stringContaining("nothing"),
    });
  });

  it("are understood though they print other things, in pieces, between their messages", async () => {
    const { ask } = openScriptedBench({
      script: `
        if (message.method !== "textDocument/hover") {
          process.stdout.write("Loading...\\nwarning: Content-Type\\n\\n");
          return;
        }
        process.stdout.write("{}\\nstrange\\r\\n");
        const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: { contents: "für 😀" } }));
        const bytes = Buffer.concat([Buffer.from("Content-Type: x\\r\\nContent-Length: " + body.length + "\\r\\n\\r\\n"), body]);
        [...bytes].forEach((byte, at) => setTimeout(() => process.stdout.write(Buffer.from([byte])), at / 4));
        send({ method: "$/unknown", params: {} });
        process.stdout.write("Content-Length: 4\\r\\n\\r\\nnope");
        return "never";
      `,
    });
    expect((await ask(hover)).hover).toBe("für 😀");
  });

  it("are unavailable with their last words if they end at once, after a second try", async () => {
    const { ask, started } = openScriptedBench({
      script: 'console.error("no licence\\nfor this machine"); process.exit(3);',
      limits: { pauseMs: 10 },
    });
    await expect(ask(hover)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/YAML.*code 3.*no licence\nfor this machine/su),
    });
    expect(started).toHaveLength(2);
    await expect(ask(hover)).rejects.toMatchObject({ code: "unavailable" });
    expect(started).toHaveLength(2);
  });

  it("are unavailable if they never get ready, and not tried again at once", async () => {
    const { ask, started } = openScriptedBench({
      script: 'return "never";',
      limits: { startMs: 300 },
    });
    const refused = {
      code: "unavailable",
      message: expect.stringContaining("not ready within 300 ms"),
    };
    await expect(ask(hover)).rejects.toMatchObject(refused);
    await expect(ask(hover)).rejects.toMatchObject(refused);
    expect(started).toHaveLength(1);
  });

  it("are replaced when they end in the middle of a question", async () => {
    const { ask, started } = openScriptedBench({
      script: `
        const { existsSync } = require("node:fs");
        if (message.method === "textDocument/hover" && existsSync("crash.yaml")) process.exit(1);
        ${hoverWith('"again"')}
      `,
      files: { "crash.yaml": "" },
      limits: { pauseMs: 10 },
      onStart: (count, { root }) => {
        if (count === 1) rmSync(join(root, "crash.yaml"));
      },
    });
    expect((await ask(hover)).hover).toBe("again");
    expect(started).toHaveLength(2);
  });

  it("are started again after somebody killed them", async () => {
    const { ask, started } = openScriptedBench({
      script: hoverWith('"here"'),
      limits: { pauseMs: 10 },
    });
    await ask(hover);
    await started[0]?.program.stop();
    expect((await ask(hover)).hover).toBe("here");
    expect(started).toHaveLength(2);
  });

  it("are notified when a request is cancelled", async () => {
    const { ask } = openScriptedBench({
      script: `
        const count = (method) => heard.filter((other) => other.method === method).length;
        if (message.method === "textDocument/definition") return "never";
        ${hoverWith('count("textDocument/definition") + " asked, " + count("$/cancelRequest") + " given up"')}
      `,
    });
    const controller = new AbortController();
    const asked = ask({ ...hover, operation: "definition" }, { signal: controller.signal });
    const refused = expect(asked).rejects.toMatchObject({ code: "cancelled" });
    await expect.poll(async () => (await ask(hover)).hover).toBe("1 asked, 0 given up");
    controller.abort();
    await refused;
    await expect.poll(async () => (await ask(hover)).hover).toBe("1 asked, 1 given up");
    await expect(ask(hover, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "cancelled",
    });
  });

  it("are stopped when idle, and started again by the next request", async () => {
    const { clock, fire } = createManualClock();
    const { ask, started } = openScriptedBench({ script: hoverWith('"awake"'), clock });
    await ask(hover);
    expect(fire(600_000)).toBe(1);
    await started[0]?.program.ended;
    expect((await ask(hover)).hover).toBe("awake");
    expect(started).toHaveLength(2);
  });

  it("are started again when packages were installed", async () => {
    const { ask, started, write } = openScriptedBench({ script: hoverWith('"here"') });
    await ask(hover);
    write("node_modules/.package-lock.json", "{}");
    await ask(hover);
    expect(started).toHaveLength(2);
  });

  it("end by themselves when they are closed", async () => {
    const { servers, started, ask } = openScriptedBench({ script: "" });
    await ask({ operation: "symbols", path });
    await servers.close();
    expect(await started[0]?.program.ended).toMatchObject({ exitCode: 0 });
  });

  it.each([
    ["not ready", 'return "never";'],
    ["not done with its answer", 'if (message.method === "textDocument/hover") return "never";'],
  ])("are closed even while one is %s", async (_, script) => {
    const { ask, servers, started } = openScriptedBench({ script });
    const asked = ask(hover);
    const refused = expect(asked).rejects.toMatchObject({ code: "cancelled" });
    await expect.poll(() => started).toHaveLength(1);
    await Promise.all([refused, servers.close()]);
    await started[0]?.program.ended;
    expect(started).toHaveLength(1);
  });

  it("do not keep the process that started them", async () => {
    const { root } = openScriptedBench({ script: "" });
    const hooks = new URL("../../../../test/programs/register-sources.mjs", import.meta.url);
    const program = fileURLToPath(new URL("./test-support/ask-and-leave.ts", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...["--import", hooks.href, program],
      ...[root, join(root, "../state"), usualSandbox],
    ]);
    expect(stdout).toBe("yaml-language-server");
  });

  it("are shown fifty files at most, each as it is on disk", async () => {
    const names = Array.from({ length: 60 }, (_, index) => `f${index}.yaml`);
    const { ask, write } = openScriptedBench({
      script: `
        const count = (method) => heard.filter((other) => other.method === "textDocument/" + method).length;
        const last = heard.findLast((other) => other.method === "textDocument/didChange");
        ${hoverWith('[count("didOpen") - count("didClose"), last?.params.contentChanges[0].text].join(" ")')}
      `,
      files: Object.fromEntries(names.map((name) => [name, "first: 1\n"])),
    });
    for (const name of names) await ask({ ...hover, path: name });
    expect((await ask({ ...hover, path: "f59.yaml" })).hover).toBe("50");
    write("f59.yaml", "first: two\n");
    expect((await ask({ ...hover, path: "f59.yaml" })).hover).toBe("50 first: two");
  });

  it("are not taken from where a project's link leads outside of all packages", async () => {
    const { ask, root } = openScriptedBench({ script: "" });
    const program = join(root, "node_modules/.bin/yaml-language-server");
    rmSync(program);
    symlinkSync("/bin/cat", program);
    await expect(ask(hover)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("yaml-language-server"),
    });
  });

  it("may fail, be busy for a moment, or not know a thing", async () => {
    const { ask } = openScriptedBench({
      script: `
        const tries = heard.filter((other) => other.method === message.method).length;
        if (message.method === "textDocument/definition") return { error: { code: -32603, message: "no idea" } };
        if (message.method === "textDocument/hover" && tries < 3) return { error: { code: -32801, message: "modified" } };
        ${hoverWith('"third"')}
      `,
    });
    await expect(ask({ ...hover, operation: "definition" })).rejects.toMatchObject({
      code: "failed",
      message: expect.stringContaining("no idea"),
    });
    expect((await ask(hover)).hover).toBe("third");
    await expect(ask({ ...hover, operation: "references" })).rejects.toMatchObject({
      code: "unavailable",
      message: "yaml-language-server does not support references. Use `grep` and `read` instead.",
    });
  });

  it("report their work, and so keep a call alive", async () => {
    const reported: unknown[] = [];
    const { ask } = openScriptedBench({
      script: `
        if (message.method === "textDocument/hover") {
          notify("$/progress", { token: 1, value: { kind: "begin", title: "Indexing" } });
          notify("$/progress", { token: 1, value: { kind: "report", message: "a.yaml", percentage: 50 } });
          return null;
        }
      `,
    });
    const { message } = await ask(hover, { progress: (progress) => reported.push(progress) });
    expect(reported).toContainEqual({ message: "Indexing a.yaml 50%" });
    expect(message).toContain("still busy (Indexing)");
  });
});

function createManualClock(): { readonly clock: Clock; fire(after: number): number } {
  const timers = new Set<{ readonly after: number; readonly run: () => void }>();
  return {
    clock: {
      now: () => 0,
      monotonic: () => 0,
      after: (after, run) => {
        const timer = { after, run };
        timers.add(timer);
        return { cancel: () => timers.delete(timer), hold: () => {} };
      },
    },
    fire: (after) => {
      const due = [...timers].filter((timer) => timer.after === after);
      for (const timer of due) {
        timers.delete(timer);
        timer.run();
      }
      return due.length;
    },
  };
}

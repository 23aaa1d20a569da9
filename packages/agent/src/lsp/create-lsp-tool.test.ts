import { join } from "node:path";
import type { RequirementSet } from "@haft/contract";
import { describeToolContract } from "@haft/contract/testing";
import { createRegistry, createSession, parseRule } from "@haft/core";
import { afterAll, describe, expect, it } from "vitest";
import { loadDocument } from "./answer/load-document.ts";
import { diagnose } from "./client/diagnose.ts";
import type { LanguageClient } from "./client/language-client.ts";
import { createLspTool } from "./create-lsp-tool.ts";
import type { LspArguments } from "./lsp-arguments.ts";
import { openLspBench, openRuntime } from "./test-support/lsp-bench.ts";
import { openScriptedBench } from "./test-support/scripted-server.ts";

// Answers with where it was asked, and with the file's own first lines.
const script = `
  const uri = message.params?.textDocument?.uri;
  const range = (line, character) => ({ start: { line, character }, end: { line, character } });
  if (message.method === "textDocument/hover") {
    return { contents: { kind: "markdown", value: JSON.stringify(message.params.position) } };
  }
  if (message.method === "textDocument/definition") {
    return [
      { uri, range: range(0, 0) },
      { uri, range: range(0, 0) },
      { uri: "file:///etc/hostname", range: range(0, 0) },
      { uri: "jar:///a.jar!/B.class", range: range(4, 2) },
    ];
  }
  if (message.method === "textDocument/documentSymbol") {
    const location = { uri, range: { start: { line: 1, character: 0 }, end: { line: 3, character: 0 } } };
    return Array.from({ length: 300 }, (_, index) => ({ name: "s" + index, kind: 12, location, containerName: "c" }));
  }
  if (message.method === "workspace/symbol") return [{ name: message.params.query, kind: 99, location: { uri: "file:///x" } }];
`;

const files = {
  "emoji.yaml": "😀é: one\n",
  "big.yaml": `a: ${"x".repeat(2 * 1024 * 1024)}`,
  "binary.yaml": "a\0b",
  "code.qq": "?",
  "folder/x.txt": "",
  ".env": "TOKEN=1",
};

describe("lsp", () => {
  const bench = openScriptedBench({ script, files }, afterAll);
  const { ask, computer, servers } = bench;
  const path = "a.yaml";

  it("accepts a position as line and character, or as a name", async () => {
    const at = async (place: Partial<LspArguments>): Promise<unknown> =>
      JSON.parse((await ask({ operation: "hover", path, ...place })).hover ?? "");
    expect(await at({ line: 2, character: 3 })).toEqual({ line: 1, character: 2 });
    expect(await at({ symbol: "second" })).toEqual({ line: 1, character: 0 });
    expect(await at({ line: 2, symbol: "2" })).toEqual({ line: 1, character: 8 });
    // A server that says nothing else counts as JavaScript does.
    expect(await at({ path: "emoji.yaml", symbol: "one" })).toEqual({ line: 0, character: 5 });
    expect(await at({ path: "emoji.yaml", line: 1, character: 2 })).toEqual({
      line: 0,
      character: 2,
    });
  });

  it("shows each place once, with its line only where that can be read", async () => {
    const { locations } = await ask({ operation: "definition", path, symbol: "first" });
    expect(locations).toEqual([
      { path: "a.yaml", line: 1, character: 1, text: "first: 1" },
      { path: "/etc/hostname", line: 1 },
      { path: "jar:///a.jar!/B.class", line: 5 },
    ]);
  });

  it("shows two hundred entries, or fewer if that is asked", async () => {
    const all = await ask({ operation: "symbols", path });
    expect(all).toMatchObject({
      truncated: true,
      message: "Showing the first 200 of 300.",
    });
    expect(all.symbols).toHaveLength(200);
    expect(all.symbols?.[0]).toEqual({
      name: "s0",
      kind: "function",
      line: 2,
      end_line: 3,
      container: "c",
    });
    expect((await ask({ operation: "symbols", path, limit: 3 })).symbols).toHaveLength(3);
    const found = await ask({ operation: "workspace_symbols", path: ".", query: "q" });
    expect(found.symbols).toEqual([{ name: "q", kind: "symbol", path: "/x", line: 1 }]);
  });

  it.each([
    [{ operation: "hover", path }, "invalid-arguments", /^line: hover needs a position/u],
    [{ operation: "hover", path, line: 1 }, "invalid-arguments", /^character: hover needs/u],
    [{ operation: "hover", path, line: 9, character: 1 }, "invalid-arguments", /has 3 lines/u],
    [
      { operation: "hover", path, symbol: "none" },
      "not-found",
      /"none" does not occur in the file/u,
    ],
    [{ operation: "hover", path, symbol: "firs" }, "not-found", /"firs" does not occur/u],
    [
      { operation: "hover", path, line: 1, symbol: "second" },
      "not-found",
      /"first: 1"\. Its first occurrence is in line 2\./u,
    ],
    [{ operation: "workspace_symbols", path }, "invalid-arguments", /^query/u],
    [{ operation: "symbols", path: "folder" }, "invalid-arguments", /not a file/u],
    [
      { operation: "workspace_symbols", path: "folder", query: "x" },
      "unavailable",
      /Specify a file/u,
    ],
    [{ operation: "symbols", path: "none.yaml" }, "not-found", /none\.yaml/u],
    [{ operation: "symbols", path: "big.yaml" }, "too-large", /2097152/u],
    [{ operation: "symbols", path: "binary.yaml" }, "binary", /not a text file/u],
    [{ operation: "symbols", path: "code.qq" }, "unavailable", /Files with \.qq.*TypeScript/u],
    [{ operation: "symbols", path: "../outside.yaml" }, "out-of-scope", /outside/u],
    [{ operation: "symbols", path: ".env" }, "secret-file", /\.env/u],
  ] as const)("refuses %j", async (args, code, message) => {
    await expect(ask(args as LspArguments)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  it("says which servers there are for a language without one, and how to get it", async () => {
    const empty = openLspBench({ files: { "a.go": "package a\n", "a.ts": "" } });
    const missing = (name: string) => empty.ask({ operation: "symbols", path: name });
    await expect(missing("a.go")).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/for Go.*gopls.*go install/su),
    });
    await expect(missing("a.ts")).rejects.toMatchObject({
      message: expect.stringMatching(/typescript-language-server, tsc.*npm install/su),
    });
    const { signal } = new AbortController();
    const changed = [join(empty.root, "a.go")];
    expect(await empty.servers.diagnoseChanges(changed, { signal })).toBeUndefined();
  });

  it("is called in a session like any other tool", async () => {
    const session = createSession({
      registry: createRegistry([createLspTool(async () => servers)]),
      computer,
      name: "test",
    });
    const result = await session.call({
      name: "lsp",
      arguments: { operation: "definition", path, symbol: "second", limit: 1 },
    });
    expect(result).toMatchObject({
      type: "output",
      data: { server: "yaml-language-server", locations: [{ path, line: 1 }], truncated: true },
    });
  });

  it("declares the programs that it starts, and is denied with them (003:206)", async () => {
    const tool = createLspTool(async () => servers);
    expect(tool.requires.shell).toContainEqual({ cmd: "yaml-language-server" });
    const judge = async (...rules: string[]) => {
      const session = createSession({
        registry: createRegistry([tool]),
        computer,
        name: "denied",
        rules: rules.map(parseRule),
      });
      return (await session.judge({ name: "lsp", arguments: { operation: "symbols", path } }))
        .action;
    };
    expect(await judge("* * allow")).toBe("allow");
    expect(await judge("* * allow", "shell.run * deny")).toBe("deny");
  });

  it("is refused where the session may run none of its servers", async () => {
    const fs = { read: ["{workspace}/**"] };
    const call = async (ceiling: RequirementSet) => {
      const registry = createRegistry([createLspTool(async () => servers)]);
      const session = createSession({ registry, computer, name: "limited", ceiling });
      return session.call({
        name: "lsp",
        arguments: { operation: "definition", path, symbol: "second" },
      });
    };
    for (const ceiling of [{ fs }, { fs, shell: [{ cmd: "git" }] }]) {
      expect(await call(ceiling)).toMatchObject({
        error_text: expect.stringMatching(
          /^lsp can't be used in this session: it runs .+ others, and the session may run none of that\.$/u,
        ),
        metadata: { error_code: "out-of-scope" },
      });
    }
    const shell = [{ cmd: "yaml-language-server" }];
    expect(await call({ fs, shell })).toMatchObject({ data: { server: "yaml-language-server" } });
  });

  const runtime = () => openRuntime(computer);
  describeToolContract(
    createLspTool(async () => servers),
    [
      { arguments: { operation: "hover", path, symbol: "first" }, runtime },
      { arguments: { operation: "symbols", path, limit: 2 }, runtime },
      { arguments: { operation: "hover", path }, runtime, expect: { error: "invalid-arguments" } },
      {
        arguments: { operation: "symbols", path: "/etc/passwd" },
        runtime,
        expect: { error: "out-of-scope" },
      },
    ],
  );
});

describe("diagnostics of a server that says them by itself", () => {
  const publishing = (body: string): string => `
    const { uri, version } = message.params?.textDocument ?? {};
    const publish = (text, of, more) => notify("textDocument/publishDiagnostics", {
      uri, version: of, diagnostics: [{ message: text, code: 7, range: { start: { line: 1, character: 0 }, end: { line: 1, character: 1 } }, ...more }],
    });
    if (message.method === "textDocument/didOpen" || message.method === "textDocument/didChange") { ${body} }
  `;
  const look = async (body: string, { times = 1, maxMs = 15_000 } = {}) => {
    const { servers, computer, root } = openScriptedBench({ script: publishing(body) });
    const path = join(root, "a.yaml");
    const { signal } = new AbortController();
    const work = async () => {
      const document = await loadDocument(path, openRuntime(computer).fs);
      return servers.use(
        {
          path,
          work: (client) => diagnose(client, document, { signal, maxMs, settleMs: 1_000 }),
        },
        signal,
      );
    };
    let last = await work();
    for (let time = 1; time < times; time++) last = await work();
    return { ...last, messages: last.diagnostics.map(({ message }) => message) };
  };

  it("are taken when they are about the file as it is now", async () => {
    const said = await look(
      'publish("old", version - 1); setTimeout(() => publish("new", version), 50);',
    );
    expect(said).toMatchObject({ messages: ["new"], isIncomplete: false });
  });

  it("are taken when the last part has come", async () => {
    const said = await look('publish("part"); setTimeout(() => publish("whole"), 100);');
    expect(said).toMatchObject({ messages: ["whole"], isIncomplete: false });
  });

  it("are asked for again every time", async () => {
    const count = 'heard.filter((other) => other.method.startsWith("textDocument/did")).length';
    expect(await look(`publish("look " + ${count});`, { times: 3 })).toMatchObject({
      messages: ["look 3"],
    });
  });

  it("may be incomplete if nothing came", async () => {
    expect(await look("", { maxMs: 300 })).toMatchObject({ messages: [], isIncomplete: true });
  });

  it("are shown with what is known of them", async () => {
    const { ask } = openScriptedBench({
      script: publishing('publish("bad", version, { severity: 2, source: "check" });'),
    });
    expect(await ask({ operation: "diagnostics", path: "a.yaml" })).toEqual({
      operation: "diagnostics",
      server: "yaml-language-server",
      diagnostics: [
        { severity: "warning", line: 2, character: 1, message: "bad", source: "check", code: "7" },
      ],
    });
  });

  it("are no reason to fail after a change", async () => {
    const { servers, root } = openScriptedBench({
      script: "process.exit(1);",
      limits: { pauseMs: 1 },
    });
    const { signal } = new AbortController();
    expect(await servers.diagnoseChanges([join(root, "a.yaml")], { signal })).toBeUndefined();
    const { servers: mute, root: other } = openScriptedBench({ script: 'return "never";' });
    const soon = { signal: AbortSignal.timeout(300) };
    expect(await mute.diagnoseChanges([join(other, "a.yaml")], soon)).toBeUndefined();
  });
});

describe("diagnostics of a server that is asked for them", () => {
  const loading = (end: string): string => `
    const progress = (value) => notify("$/progress", { token: 1, value });
    if (message.method === "initialize") {
      return { capabilities: { ...capabilities, diagnosticProvider: {} } };
    }
    if (message.method === "textDocument/diagnostic") {
      const times = heard.filter((other) => other.method === message.method).length;
      if (times === 1) {
        progress({ kind: "begin", title: "Loading" });
        ${end}
      }
      const start = { line: 0, character: 0 };
      return { kind: "full", items: [{ message: "answer " + times, range: { start, end: start } }] };
    }
  `;

  it("are asked for again when it has loaded the project", async () => {
    const { ask } = openScriptedBench({
      script: loading('setTimeout(() => progress({ kind: "end" }), 100);'),
    });
    const said = await ask({ operation: "diagnostics", path: "a.yaml" });
    expect(said).toMatchObject({ diagnostics: [{ message: "answer 2" }] });
    expect(said.message).toBeUndefined();
  });

  it("may be incomplete while it loads the project", async () => {
    const { servers, computer, root } = openScriptedBench({ script: loading("") });
    const document = await loadDocument(join(root, "a.yaml"), openRuntime(computer).fs);
    const { signal } = new AbortController();
    const work = (client: LanguageClient) => diagnose(client, document, { signal, maxMs: 50 });
    expect(await servers.use({ path: document.path, work }, signal)).toMatchObject({
      diagnostics: [{ message: "answer 1" }],
      isIncomplete: true,
    });
  });
});

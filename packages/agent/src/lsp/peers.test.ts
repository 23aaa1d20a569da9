import { describe, expect, it } from "vitest";
import { usualSandbox } from "./test-support/lsp-bench.ts";
import { openScriptedBench, type ScriptedOptions } from "./test-support/scripted-server.ts";

/** Opens a server that behaves as a real one was seen to. What confines it is tested elsewhere. */
const open = (options: ScriptedOptions) => openScriptedBench({ sandbox: "off", ...options });

const place = `
  const { uri } = message.params?.textDocument ?? {};
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
  const times = heard.filter((other) => other.method === message.method).length;
`;

describe("a language server as it really is", () => {
  it("is given settings: vscode-css-language-server checks nothing without", async () => {
    const { ask } = open({
      program: "vscode-css-language-server",
      files: { "a.css": "a { colr: red }\n" },
      script: `${place}
        if (message.method === "textDocument/didOpen") {
          send({ id: 1, method: "workspace/configuration", params: { items: [{ section: "css" }] } });
        }
        if (message.method === undefined && message.id === 1) {
          const { uri } = heard.find(({ method }) => method === "textDocument/didOpen").params.textDocument;
          const diagnostics = message.result[0] === null ? [] : [{ range, message: "Unknown property" }];
          notify("textDocument/publishDiagnostics", { uri, diagnostics });
        }
      `,
    });
    const { diagnostics } = await ask({ operation: "diagnostics", path: "a.css" });
    expect(diagnostics).toMatchObject([{ message: "Unknown property" }]);
  });

  it("is asked for diagnostics once it registers that: pyright does so late, and is not ready", async () => {
    const { ask } = open({
      program: "pyright-langserver",
      files: { "a.py": "x: int = ''\n" },
      script: `${place}
        if (message.method === "textDocument/didOpen") {
          const registrations = [{ id: "1", method: "textDocument/diagnostic" }];
          send({ id: 1, method: "client/registerCapability", params: { registrations } });
        }
        if (message.method === "textDocument/diagnostic") {
          return { kind: "full", items: times === 1 ? [] : [{ range, message: "Not an int" }] };
        }
      `,
    });
    const { diagnostics, message } = await ask({ operation: "diagnostics", path: "a.py" });
    expect(diagnostics).toMatchObject([{ message: "Not an int" }]);
    expect(message).toBeUndefined();
  });

  it("is asked again for references: pyright knows only the file itself at first", async () => {
    const { ask } = open({
      program: "pyright-langserver",
      files: { "a.py": "x = 1\n", "b.py": "import a\n" },
      script: `${place}
        if (message.method === "initialize") return { capabilities: { referencesProvider: true } };
        if (message.method === "textDocument/references") {
          const own = { uri, range };
          return times === 1 ? [own] : [own, { uri: uri.replace("a.py", "b.py"), range }];
        }
      `,
    });
    const { locations } = await ask({ operation: "references", path: "a.py", symbol: "x" });
    expect(locations?.map(({ path }) => path)).toEqual(["a.py", "b.py"]);
  });

  it("is asked again if it knew nothing of a new file, once: bash-language-server", async () => {
    const { ask } = open({
      program: "bash-language-server",
      files: { "a.sh": "greet() { :; }\n" },
      script: `${place}
        if (message.method === "textDocument/hover") return times === 2 ? { contents: "greet" } : null;
      `,
    });
    const hover = { operation: "hover", path: "a.sh", symbol: "greet" } as const;
    expect((await ask(hover)).hover).toBe("greet");
    expect((await ask(hover)).message).toBe("bash-language-server found nothing.");
  });

  it("is asked about the next place after an error: gopls has none for a comment", async () => {
    const { ask } = open({
      program: "gopls",
      files: {
        "a.go": "// Package a: Add adds.\npackage a\n\nfunc Add() {}\n",
        "b.go": "// Sub\n",
      },
      script: `${place}
        if (message.method === "textDocument/definition") {
          if (message.params.position.line === 0) return { error: { code: 0, message: "no identifier found" } };
          return [{ uri, range: { start: message.params.position, end: message.params.position } }];
        }
      `,
    });
    const { locations } = await ask({ operation: "definition", path: "a.go", symbol: "Add" });
    expect(locations).toMatchObject([{ path: "a.go", line: 4, text: "func Add() {}" }]);
    await expect(
      ask({ operation: "definition", path: "b.go", symbol: "Sub" }),
    ).rejects.toMatchObject({
      code: "failed",
      message: expect.stringContaining("gopls answered textDocument/definition with an error"),
    });
  });

  it("is known to have an incomplete index: clangd while it reads the project, or can't", async () => {
    const { ask, write } = open({
      program: "clangd",
      files: { "a.c": "int a;\n", "b.c": "int a;\n" },
      script: `${place}
        if (message.method === "initialize") return { capabilities: { referencesProvider: true, hoverProvider: true } };
        if (message.method === "textDocument/hover") return { contents: "int a" };
        if (message.method === "textDocument/references") {
          if (uri.endsWith("b.c")) {
            notify("$/progress", { token: 1, value: { kind: "begin", title: "indexing" } });
          }
          return [{ uri, range }];
        }
      `,
    });
    const references = { operation: "references", path: "a.c", symbol: "a" } as const;
    expect((await ask(references)).message).toBe(
      "There may be more: without compile_commands.json, clangd searches only files that were opened. Create it, or search the other files for the text.",
    );
    expect((await ask({ ...references, operation: "hover" })).message).toBeUndefined();
    write("build/compile_commands.json", "[]");
    expect((await ask(references)).message).toBeUndefined();
    expect((await ask({ ...references, path: "b.c" })).message).toBe(
      "clangd is still busy (indexing) and may find more later.",
    );
  });

  it.skipIf(usualSandbox === "off")(
    "is found above a package of a monorepo, and reads what it needs there: pyright",
    async () => {
      const { ask } = open({
        sandbox: usualSandbox,
        program: "../../node_modules/.bin/pyright-langserver",
        workspace: "repository/packages/a",
        files: {
          "../../.git/config": "",
          "../../.env": "TOKEN=1",
          "../../pyrightconfig.json": "{}",
          "a.py": "x = 1\n",
        },
        script: `
          const { readFileSync, writeFileSync } = require("node:fs");
          const attempt = (act) => { try { return act(); } catch { return "refused"; } };
          if (message.method === "textDocument/hover") {
            const read = (name) => attempt(() => readFileSync("../../" + name, "utf8"));
            const write = attempt(() => writeFileSync("../../new", ""));
            return { contents: JSON.stringify([read("pyrightconfig.json"), read(".env"), read(".git/config"), write]) };
          }
        `,
      });
      const { hover = "" } = await ask({ operation: "hover", path: "a.py", symbol: "x" });
      expect(JSON.parse(hover)).toEqual(["{}", "refused", "refused", "refused"]);
    },
  );

  it("names the missing component: rust-analyzer of rustup, before a stack trace", async () => {
    const { ask } = open({
      program: "rust-analyzer",
      files: { "src/main.rs": "fn main() {}\n" },
      limits: { pauseMs: 1 },
      script: `
        console.error("error: Unknown binary 'rust-analyzer' in official toolchain 'stable'.\\n\\nStack backtrace:");
        for (let at = 0; at < 90; at++) console.error("  " + at + ": rustup_init::main::" + "x".repeat(40));
        process.exit(1);
      `,
    });
    await expect(ask({ operation: "symbols", path: "src/main.rs" })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(
        /Its output: error: Unknown binary 'rust-analyzer' in official toolchain 'stable'\.\n…\n82: .*\n89: /su,
      ),
    });
  });
});

import { join } from "node:path";
import { createMemoryComputer } from "@haft/computer/memory";
import { compileRequirements } from "@haft/contract";
import { createTestRuntime, describeToolContract } from "@haft/contract/testing";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { makeWorkspace } from "../support/make-workspace.ts";
import { runHaft, runNode } from "../support/run-node.ts";
import { wordCount } from "./word-count.ts";

const plan = join(import.meta.dirname, "plan.yaml");
const poem = "Roses are red.\nViolets are blue.\n";
const counts = { lines: 2, words: 6, characters: 33 };

/** A runtime on files in memory, with the tool's own grant and nothing more. */
const withFiles = (files: Readonly<Record<string, string>>) => () => {
  const computer = createMemoryComputer({ files });
  const fs = computer.openFiles({
    callId: "test-call",
    grant: compileRequirements(wordCount.requires, computer.variables),
    journal: { record: () => {}, latest: async () => [] },
    changed: () => {},
    isDenied: () => false,
    isNamed: () => false,
    signal: new AbortController().signal,
  });
  return createTestRuntime({ fs });
};

describeToolContract(wordCount, [
  {
    name: "a poem",
    arguments: { path: "poem.txt" },
    runtime: withFiles({ "poem.txt": poem }),
    expect: { data: counts },
  },
  {
    name: "an empty file",
    arguments: { path: "empty.txt" },
    runtime: withFiles({ "empty.txt": "" }),
    expect: { data: { words: 0, characters: 0 } },
  },
  {
    name: "no such file",
    arguments: { path: "missing.txt" },
    runtime: withFiles({}),
    expect: { error: "not-found" },
  },
  {
    name: "no text",
    arguments: { path: "image.bin" },
    runtime: withFiles({ "image.bin": "a\0b" }),
    expect: { error: "binary" },
  },
]);

describe("word_count", () => {
  it("is used from the AI SDK", async () => {
    const { stdout } = await runNode(["examples/word-count/agent.ts"]);
    expect(stdout).toContain('"words":6');
    expect(stdout).toContain("The poem has six words.");
  });

  it("is used from the shell", async () => {
    const { directory, state } = makeWorkspace({ "poem.txt": poem });
    const call = ["call", "word_count", "path=poem.txt", "--mount", plan, "--yes", "--json"];
    const { stdout } = await runHaft([...call, "-C", directory], { HAFT_HOME: state });
    expect(JSON.parse(stdout)).toMatchObject({ type: "output", data: counts });
  });

  it("is used over MCP", async () => {
    const { directory, state } = makeWorkspace({ "poem.txt": poem });
    const options = ["--structured", "--rule", "word_count * allow"];
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ["packages/cli/bin/haft.js", "mcp", "--mount", plan, ...options, "-C", directory],
      cwd: join(import.meta.dirname, "../.."),
      env: { ...(process.env as Record<string, string>), HAFT_HOME: state },
    });
    const client = new Client({ name: "example", version: "1.0.0" });
    await client.connect(transport);
    try {
      const call = { name: "word_count", arguments: { path: "poem.txt" } };
      expect(await client.callTool(call)).toMatchObject({ structuredContent: counts });
    } finally {
      await client.close();
    }
  });
});

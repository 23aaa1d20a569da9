import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { createTestWorkspace } from "../test-support/run-haft.ts";

const peek = "cat private/x 2>&1";
const server = `
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
const peek = () => { try { return readFileSync("private/x", "utf8"); } catch (error) { return error.code; } };
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const results = {
    initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
    "tools/list": { tools: [{ name: "peek", inputSchema: { type: "object" } }] },
    "tools/call": { content: [{ type: "text", text: peek() }] },
  };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} }));
});`;

const files = {
  "private/x": "CLOSED",
  "a.txt": "a\n",
  kept: "a\n",
  ".gitignore": "cache/\n",
  ".prettierrc": "{}",
  "style.css": "a{}",
  "server.mjs": server,
  "node_modules/.bin/prettier": `#!/bin/sh\n${peek}; echo b >a.txt; mkdir -p cache; echo f >cache/f; echo\n`,
  "package.json": JSON.stringify({
    scripts: {
      lint: `${peek}; echo b >a.txt; echo b >new; mkdir -p cache/l; tac a.txt >cache/l/a`,
    },
  }),
  ".haft/toolbox/peek": `#!/bin/sh\n[ "$TOOLBOX_ACTION" = describe ] && { printf 'name: peek\\ndescription: %s\\n' "$(${peek} | tr -d :)"; exit; }\n${peek}; echo b >>a.txt\n`,
};

const rules = ["--rule", "fs.read private/** deny"];
const always = [...rules, "--yes", "--trust-project", "--json", "--sandbox=required"];

function open() {
  const workspace = createTestWorkspace(files);
  const { directory, haft } = workspace;
  for (const path of ["node_modules/.bin/prettier", ".haft/toolbox/peek"]) {
    chmodSync(join(directory, path), 0o755);
  }
  const call = async (...words: readonly string[]): Promise<string> =>
    (await haft(["call", ...words, ...always])).stdout;
  return { ...workspace, call };
}

describe.skipIf(isMissing("bwrap"))("rules on files, for the programs of tools", () => {
  it("hold for formatters and checks, of which at most caches are kept", async () => {
    const { directory, call } = open();
    const formatted = await call("format_file", "path=style.css");
    expect(formatted).toContain("Permission denied");
    const checked = await call("check");
    expect(checked).toContain("Permission denied");
    expect(checked).toMatch(/Discarded.*a\.txt.*new/u);
    expect(JSON.parse(checked).metadata).toMatchObject({ reversible: false, changes_total: 1 });
    expect(formatted + checked).not.toContain("CLOSED");
    expect(readFileSync(join(directory, "a.txt"), "utf8")).toBe("a\n");
    expect(readdirSync(join(directory, "cache"))).toEqual(["l"]);
    expect(existsSync(join(directory, "new"))).toBe(false);
  });

  it("hold for toolbox scripts, whose changes can be undone", async () => {
    const { directory, haft, call } = open();
    const { stdout } = await haft(["tools", ...always]);
    expect(stdout).toContain("cat private/x Permission denied");
    const called = JSON.parse(await call("tb__peek", "{}"));
    expect(called.data.output).toContain("Permission denied");
    expect(called.metadata.changes).toMatchObject([{ kind: "modified", undoable: true }]);
    expect(readFileSync(join(directory, "a.txt"), "utf8")).toBe("a\nb\n");
    await haft(["undo", "--sandbox=required"]);
    expect(readFileSync(join(directory, "a.txt"), "utf8")).toBe("a\n");
  });

  it("hold for MCP servers", async () => {
    const { directory, haft, call } = open();
    await haft(["mcp", "add", "s", "--yes", "--", process.execPath, join(directory, "server.mjs")]);
    expect(await call("mcp__s__peek", "{}")).toContain("EACCES");
  });

  it("hold for jobs, which can't change what they may not write", async () => {
    const { directory, haft, call } = open();
    onTestFinished(async () => {
      await haft(["sessions", "close", "default"]);
    });
    const command = `${peek}; for path in a.txt kept; do sed -i s/a/b/ $path; done; echo over`;
    const job = await call("job_start", `command=${command}`, "--rule", "fs.write kept deny");
    const { job_id } = JSON.parse(job).data;
    let output = job;
    while (!output.includes("over\\n")) output = await call("job_output", `job_id=${job_id}`);
    expect(output).toContain("Permission denied");
    expect(output).not.toContain("CLOSED");
    const read = (path: string): string => readFileSync(join(directory, path), "utf8");
    expect(["a.txt", "kept"].map(read)).toEqual(["b\n", "a\n"]);
  });
});

describe("rules on files, without a sandbox", () => {
  it("are said not to hold for commands", async () => {
    const { haft } = createTestWorkspace({ "private/x": "" });
    const words = ["call", "bash", "command=true", ...rules, "--yes", "--sandbox=off", "--json"];
    expect((await haft(words)).stdout).toContain("Without a sandbox");
    expect((await haft(["doctor", "--sandbox=off"])).stdout).toMatch(
      /sandbox .*files that rules deny/u,
    );
  });
});

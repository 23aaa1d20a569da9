import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makePeerWorkspace } from "./run-haft.ts";

const require = createRequire(import.meta.url);
const everything = require.resolve("@modelcontextprotocol/server-everything/dist/index.js");
const filesystem = require.resolve("@modelcontextprotocol/server-filesystem/dist/index.js");

describe("servers that others wrote, behind haft", { timeout: 60_000 }, () => {
  it("has what server-everything offers", async () => {
    const { haft } = makePeerWorkspace();
    await haft("mcp", "add", "everything", "--", process.execPath, everything, "stdio");

    expect((await haft("mcp", "test", "everything")).stdout).toContain("echo");
    const { stdout } = await haft("mcp", "list", "--json");
    expect(JSON.stringify(JSON.parse(stdout))).toContain("everything");
    const echoed = await haft("call", "mcp__everything__echo", "message=ahoy");
    expect(echoed.stdout).toContain("ahoy");
    const sum = await haft("call", "mcp__everything__get-sum", "a=2", "b=40");
    expect(sum.stdout).toContain("42");

    await haft("mcp", "remove", "everything");
    await expect(haft("call", "mcp__everything__echo", "message=ahoy")).rejects.toThrow();
  });

  it("keeps server-filesystem to the workspace, whatever it thinks it may do", async () => {
    const { directory, haft } = makePeerWorkspace({ "a.txt": "one\n" });
    await haft("mcp", "add", "files", "--", process.execPath, filesystem, "/");

    const read = await haft("call", "mcp__files__read_text_file", `path=${directory}/a.txt`);
    expect(read.stdout).toContain("one");
    await haft("call", "mcp__files__write_file", `path=${directory}/b.txt`, "content=two");
    expect(readFileSync(join(directory, "b.txt"), "utf8")).toBe("two");

    // Where this machine has a sandbox, the server sees its own temporary files in place of ours.
    const beside = join(directory, "../c.txt");
    const attempt = ["call", "mcp__files__write_file", `path=${beside}`, "content=no", "--json"];
    const { stdout } = await haft(...attempt);
    const isSandboxed = JSON.parse(stdout).metadata.isolation === "sandbox";
    expect(existsSync(beside)).toBe(!isSandboxed);
  });
});

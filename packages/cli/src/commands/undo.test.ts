import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCodes, type ToolResult } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { createTestWorkspace } from "../test-support/run-haft.ts";

const write = (path: string, content: string): string[] => [
  ...["call", "write", "--yes", `path=${path}`],
  `content=${content}`,
];

describe("haft undo", () => {
  it("undoes what an earlier command did and shows it", async () => {
    const { haft, directory } = createTestWorkspace({ "a.txt": "one\ntwo\n" });
    await haft(write("a.txt", "one\n2\n"));
    const { stdout, stderr, exitCode } = await haft(["undo"]);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(stdout).toContain(`Restored ${directory}/a.txt.\n`);
    expect(stdout).toContain("\n one\n-2\n+two\n");
    expect(readFileSync(join(directory, "a.txt"), "utf8")).toBe("one\ntwo\n");
  });

  it("undoes the change of one file, then the one before", async () => {
    const { haft, directory } = createTestWorkspace({ "a.txt": "0\n" });
    await haft(write("a.txt", "1"));
    await haft(write("a.txt", "2"));
    await haft(write("b.txt", "x"));
    const seen: string[] = [];
    for (let round = 0; round < 2; round++) {
      await haft(["undo", "a.txt"]);
      seen.push(readFileSync(join(directory, "a.txt"), "utf8"));
    }
    expect(seen).toEqual(["1\n", "0\n"]);
    expect(existsSync(join(directory, "b.txt"))).toBe(true);
  });

  it("keeps the user's changes, or says why it can't", async () => {
    const { haft, directory } = createTestWorkspace({ "a.txt": "1\n2\n3\n" });
    const file = join(directory, "a.txt");
    await haft(write("a.txt", "1\ntwo\n3\n"));
    writeFileSync(file, "1\nTWO\n3\n");
    const refused = await haft(["undo"]);
    expect(refused.exitCode).toBe(errorCodes.conflict.exitCode);
    expect(refused.stderr).toContain("line 2");
    writeFileSync(file, "1\ntwo\n3!\n");
    expect((await haft(["undo", "--json"])).json<ToolResult>()).toMatchObject({
      type: "output",
      data: { undone: [{ path: file, action: "merged" }] },
    });
    expect(readFileSync(file, "utf8")).toBe("1\n2\n3!\n");
  });

  it("lists what it would take back, and takes nothing back", async () => {
    const { haft, directory } = createTestWorkspace({ "a.txt": "0\n" });
    expect((await haft(["undo", "--list"])).stdout).toBe("Nothing to undo.\n");
    await haft(write("a.txt", "1"));
    await haft(write("b.txt", "x"));
    expect((await haft(["undo", "--list"])).stdout).toMatch(
      /^[0-9a-f]{8} {2}\S+Z {2}write {2}\S+\/b\.txt.*\n[0-9a-f]{8} {2}\S+Z {2}write {2}\S+\/a\.txt.*\n$/u,
    );
    expect((await haft(["undo", "--list", "a.txt", "--json"])).json()).toMatchObject([
      { tool: "write", title: "a.txt", paths: [join(directory, "a.txt")] },
    ]);
    expect(existsSync(join(directory, "b.txt"))).toBe(true);
  });

  it("undoes everything since a call, redoes it, and shows the difference", async () => {
    const { haft, directory } = createTestWorkspace({ "a.txt": "0\n" });
    const read = (): string => readFileSync(join(directory, "a.txt"), "utf8");
    await haft(write("a.txt", "1"));
    await haft(write("a.txt", "2"));
    await haft(write("b.txt", "x"));
    const calls = (await haft(["undo", "--list", "--json"])).json<readonly { id: string }[]>();
    const [, second = { id: "" }] = calls;
    expect((await haft(["diff", "--since", second.id])).stdout).toBe(
      "--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-1\n+2\n--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1,1 @@\n+x\n",
    );
    expect((await haft(["diff", "--stat"])).stdout).toContain(
      `modified  +1 -1  ${directory}/a.txt\n`,
    );
    expect((await haft(["undo", "--to", "nothing"])).stderr).toContain("haft undo --list");
    expect((await haft(["undo", "--to", second.id])).exitCode).toBe(0);
    expect([read(), existsSync(join(directory, "b.txt"))]).toEqual(["1\n", false]);
    await haft(["undo"]);
    expect(read()).toBe("0\n");
    await haft(["redo"]);
    expect(read()).toBe("1\n");
    expect((await haft(["redo"])).exitCode).toBe(0);
    expect([read(), existsSync(join(directory, "b.txt"))]).toEqual(["2\n", true]);
    expect((await haft(["redo"])).stderr).toContain("Nothing to redo");
    await haft(["undo", "--to", calls[2]?.id ?? ""]);
    expect(read()).toBe("0\n");
    expect((await haft(["diff"])).stdout).toBe("No changes.\n");
  });

  it("reports nothing to undo in a session that changed nothing", async () => {
    const { haft } = createTestWorkspace();
    await haft(write("a.txt", "1"));
    const { exitCode, stderr } = await haft(["undo", "--session", "other"]);
    expect(exitCode).toBe(errorCodes["not-found"].exitCode);
    expect(stderr).toContain("Nothing to undo");
  });

  it("does not override a rule that denies it", async () => {
    const { haft } = createTestWorkspace();
    await haft(write("a.txt", "1"));
    const { exitCode } = await haft(["undo", "--rule", "undo_edit ** deny"]);
    expect(exitCode).toBe(errorCodes.denied.exitCode);
  });

  it("accepts one path", async () => {
    expect((await createTestWorkspace().haft(["undo", "a", "b"])).exitCode).toBe(2);
  });
});

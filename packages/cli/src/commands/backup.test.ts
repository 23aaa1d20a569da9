import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openLocalPlatform } from "@haft/platform/internal";
import { describe, expect, it } from "vitest";
import { createTestWorkspace } from "../test-support/run-haft.ts";

async function open() {
  const { haft, directory } = createTestWorkspace();
  const data = join(directory, "data");
  const platform = await openLocalPlatform({ directory: data, database: undefined });
  await platform.createOrganization("kept");
  await platform.close();
  return { haft, directory, data };
}

function readNames(data: string): unknown {
  const database = new DatabaseSync(join(data, "haft.db"));
  const rows = database.prepare("select name from organizations").all();
  database.close();
  return rows;
}

describe("haft backup and haft restore", () => {
  it("bring a data directory into a file and back", async () => {
    const { haft, directory } = await open();
    const written = await haft(["backup", "b.tar", "--data", "data"]);
    expect(written).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^Wrote \S+\/b\.tar \(\d+\.\d MB\)\.\n$/u),
      stderr: "haft: the file contains the master key. Protect it like the key\n",
    });
    expect(statSync(join(directory, "b.tar")).mode & 0o777).toBe(0o600);
    const restored = await haft(["restore", "b.tar", "--data", "again"]);
    expect(restored).toMatchObject({ exitCode: 0, stderr: "" });
    expect(restored.stdout).toContain("haft serve --data again");
    expect(readNames(join(directory, "again"))).toMatchObject([{ name: "kept" }]);
  });

  it("answer programs, and say that the key is missing", async () => {
    const { haft, directory } = await open();
    const written = await haft(["backup", "b.tar", "--data", "data", "--without-key", "--json"]);
    expect(written.json()).toMatchObject({ file: join(directory, "b.tar"), master_key: false });
    const restored = await haft(["restore", "b.tar", "--data", "again"]);
    expect(restored.stderr).toContain("master.key before you start the platform");
    const over = await haft(["restore", "b.tar", "--data", "again", "--force", "--json"]);
    const { replaced } = over.json<{ replaced: string }>();
    expect(readdirSync(replaced)).toContain("haft.db");
  });

  it("change nothing where something is already", async () => {
    const { haft, directory } = await open();
    await haft(["backup", "b.tar", "--data", "data"]);
    expect(await haft(["backup", "b.tar", "--data", "data"])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("--force"),
    });
    expect((await haft(["backup", "b.tar", "--data", "data", "--force"])).exitCode).toBe(0);
    expect(await haft(["restore", "b.tar", "--data", "data"])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("is not empty"),
    });
    expect(await haft(["restore", "data/master.key", "--data", "new"])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/not a Haft backup/u),
    });
    expect(existsSync(join(directory, "new"))).toBe(false);
  });

  it.each([
    [["backup"], "needs the argument FILE"],
    [["backup", "a", "b"], 'unexpected argument: "b"'],
    [["restore", "a"], "--data DIR is required"],
    [["restore", "--data", "a"], "needs the argument FILE"],
  ])("refuse %j", async (words, why) => {
    const { haft } = await open();
    expect(await haft(words)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(why) });
  });
});

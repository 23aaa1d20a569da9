import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isMissing } from "../../../scripts/setup/system-packages.mjs";
import { openSession } from "./index.ts";

function open(rules: readonly string[]) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-rules-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const workspace = join(base, "workspace");
  for (const path of ["a/private/x", "a/y", "src/z"]) {
    mkdirSync(join(workspace, path, ".."), { recursive: true });
    writeFileSync(join(workspace, path), `${path}\n`);
  }
  symlinkSync("a/private", join(workspace, "link"));
  const stateDirectory = join(base, "state");
  const session = openSession({ workspace, stateDirectory, sandbox: "required", rules });
  onTestFinished(() => session.close());
  const call = (name: string, args: Record<string, string>) =>
    session.call({ name, arguments: args, approved: true });
  return { workspace, call };
}

describe.skipIf(isMissing("bwrap"))("what rules deny for reading, for a command on a layer", () => {
  it("is neither seen nor moved, removed, replaced or reported as changed", async () => {
    const { workspace, call } = open(["fs.read a/private/** deny"]);
    const command = [
      "cat a/private/x link/x",
      "rm -rf a/private link/x",
      "mv a moved",
      "cp -r a copied",
      "mkdir other; mv -T other a/private",
      "rm -rf a",
      "echo new >src/z",
    ].join("; ");
    const result = await call("bash", { command: `{ ${command}; } 2>&1; true` });
    expect(JSON.stringify(result)).not.toContain("private/x\\n");
    expect(readFileSync(join(workspace, "a/private/x"), "utf8")).toBe("a/private/x\n");
    const changed = (result.metadata.changes as { path: string }[]).map(({ path }) => path);
    expect(changed.filter((path) => path.startsWith(join(workspace, "a/private")))).toEqual([]);
    expect(changed).toContain(join(workspace, "src/z"));
    await call("undo_edit", {});
    expect(readdirSync(join(workspace, "a"))).toEqual(["private", "y"]);
    expect(readFileSync(join(workspace, "src/z"), "utf8")).toBe("src/z\n");
  });

  it("is refused to tools through links as well", async () => {
    const { call } = open(["fs.read a/private/** deny"]);
    for (const path of ["a/private/x", "link/x", "src/../link/x"]) {
      expect((await call("read", { path })).metadata.error_code).toBe("denied");
    }
  });
});

describe.skipIf(isMissing("bwrap"))("what rules deny for writing, for a command on a layer", () => {
  it("is not applied, however it is written", async () => {
    const { workspace, call } = open(["fs.write a/** deny"]);
    const command = "python3 -c \"open('a/y', 'w'); open('src/z', 'w')\"";
    const result = await call("bash", { command });
    expect(result.metadata.changes).toMatchObject([{ path: join(workspace, "src/z") }]);
    expect(readFileSync(join(workspace, "a/y"), "utf8")).toBe("a/y\n");
  });

  it("is not decided by rules on commands", async () => {
    const { workspace, call } = open(["bash * deny", "bash touch allow"]);
    expect((await call("bash", { command: "touch src/new" })).type).toBe("output");
    expect(readdirSync(join(workspace, "src"))).toEqual(["new", "z"]);
  });
});

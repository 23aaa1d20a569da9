import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RequirementSet, Shell } from "@haft/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { closeBrokers } from "../broker/broker.ts";
import { createDiskComputer } from "../disk/disk-computer.ts";
import { makeRunScope } from "../test-support/run-scope.ts";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";
import type { SandboxMode } from "./confine-run.ts";
import { createShellEngine } from "./shell-engine.ts";

const workspaceOnly: RequirementSet = {
  fs: { read: ["{workspace}/**"], write: ["{workspace}/**"] },
  shell: [{ cmd: "*" }],
};
const repositoryToo: RequirementSet = {
  ...workspaceOnly,
  fs: { read: ["{workspace}/**", "{repository}/**"], write: ["{workspace}/**"] },
};

const files: Readonly<Record<string, string>> = {
  ".git/config": "[remote]\n",
  ".env": "TOKEN=1\n",
  "settings.json": "{}\n",
  "bin/prog": "#!/bin/sh\nexec cat settings.json\n",
  "packages/b/b.txt": "b\n",
  "packages/a/a.txt": "a\n",
};

/** A package of a repository, as the workspace. */
function openPackage(sandbox: SandboxMode) {
  const base = makeTemporaryDirectory();
  const repository = join(base, "repository");
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, name)), { recursive: true });
    writeFileSync(join(repository, name), content, { mode: 0o755 });
  }
  const workspace = join(repository, "packages/a");
  const computer = createDiskComputer({ workspace, stateDirectory: join(base, "state"), sandbox });
  onTestFinished(() => closeBrokers());
  const open = (requires: RequirementSet): Shell =>
    computer.openShell(makeRunScope(computer, { requires }));
  return { computer, repository, open };
}

const print = async (shell: Shell, command: string): Promise<readonly string[]> =>
  (await shell.execute({ command, keep: { head: 9_999, tail: 0 } })).output.head.trim().split("\n");

describe.skipIf(isMissing("bwrap"))(
  "what is above the workspace, up to its repository's root",
  () => {
    it("can be read by programs of a tool that requires it, without secrets and history", async () => {
      const { open, repository } = openPackage("required");
      const command = [
        "exec 2> /dev/null",
        "cat ../../settings.json ../b/b.txt",
        "cat ../../.env || echo no secret",
        "ls -A ../../.git",
        "echo x > ../../new || rm ../b/b.txt || mv ../a ../c || echo not written",
        "ls ../../..",
      ].join("; ");
      const printed = await print(open(repositoryToo), command);
      expect(printed).toEqual(["{}", "b", "no secret", "not written", "repository"]);
      expect(existsSync(join(repository, "packages/a/a.txt"))).toBe(true);
      expect(readFileSync(join(repository, "packages/b/b.txt"), "utf8")).toBe("b\n");
    });

    it("is not shown to programs that no call starts, such as MCP servers", async () => {
      const { computer } = openPackage("required");
      let printed = "";
      const { ended, keepAlive } = await computer.startProgram({
        argv: ["bash", "-c", "cat ../../settings.json ../b/b.txt 2> /dev/null; cat a.txt"],
        onOutput: (bytes) => {
          printed += Buffer.from(bytes).toString();
        },
        onErrors: () => undefined,
      });
      keepAlive(true);
      await ended;
      expect(printed).toBe("a\n");
    });

    it("can be run and started in there", async () => {
      const { open, repository } = openPackage("required");
      const shell = open(repositoryToo);
      const searchFirst = [join(repository, "bin")];
      expect(await shell.find("prog", searchFirst)).toBe(join(repository, "bin/prog"));
      const { stdout } = await shell.run({ argv: ["prog"], searchFirst, cwd: repository });
      expect(Buffer.from(stdout).toString()).toBe("{}\n");
      // Commands start in the workspace.
      await expect(shell.execute({ command: "ls", cwd: repository })).rejects.toMatchObject({
        code: "out-of-scope",
      });
    });

    it("does not exist for other tools", async () => {
      const { open, repository } = openPackage("required");
      const shell = open(workspaceOnly);
      expect(await print(shell, "ls .. ../..")).toEqual(["..:", "a", "", "../..:", "packages"]);
      await expect(shell.find("prog", [join(repository, "bin")])).rejects.toMatchObject({
        code: "out-of-scope",
      });
    });
  },
);

describe("what is above the workspace, without a sandbox", () => {
  it("is not granted where the sandbox was given up", async () => {
    const { computer, open, repository } = openPackage("off");
    expect(computer.variables.repository).toEqual([]);
    await expect(open(repositoryToo).find("prog", [join(repository, "bin")])).rejects.toMatchObject(
      { code: "out-of-scope" },
    );
  });

  it("is not run and not started in where there is none", async () => {
    const { computer, repository } = openPackage("off");
    const { roots, resolve, readCommand } = computer;
    const place = { roots, home: undefined, stateDirectory: "/none", searchPath: "" };
    const engine = createShellEngine({
      ...{ roots, repositories: [repository], resolve, readCommand, passVariables: [] },
      confinement: { mode: "off", place, allowedHosts: [] },
    });
    const requires = { ...workspaceOnly, fs: { read: [`${repository}/**`] } };
    const shell = engine.open(makeRunScope(computer, { requires }));
    expect(await shell.find("prog", [join(repository, "bin")])).toBeUndefined();
    await expect(shell.run({ argv: ["true"], cwd: repository })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("above the workspace, where programs run only in a sandbox"),
    });
  });
});

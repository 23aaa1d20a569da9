import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { PathState } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { createDiskComputer } from "../disk/disk-computer.ts";
import { createDiskWorkspace } from "../test-support/disk-workspace.ts";
import { isRoot, mountSmallDisk } from "../test-support/privileges.ts";
import { describeSessions } from "../test-support/session.conformance.ts";
import { runSource } from "../test-support/spawn-source.ts";

describeSessions("disk", () => createDiskWorkspace().computer);

describe("a session on disk", () => {
  it("writes nothing before there is something to keep", async () => {
    const { computer, stateDirectory } = createDiskWorkspace();
    const session = computer.openSession("s");
    expect(await session.state.get("key")).toBeUndefined();
    expect(session.rules.list("session")).toEqual([]);
    expect(session.rules.list("project")).toEqual([]);
    await session.close();
    expect(existsSync(stateDirectory)).toBe(false);
  });

  it("keeps everything to its owner", async () => {
    const { computer, root, stateDirectory } = createDiskWorkspace();
    const session = computer.openSession("s");
    await session.state.set("key", 1);
    await session.sidecars.write("call", "text");
    await session.rules.add("session", { permission: "*", pattern: "*", action: "ask" });
    await session.journal.record([
      {
        callId: "c",
        path: join(root, "a"),
        before: { kind: "file", content: new Uint8Array(9000), mode: 0o644 },
        after: { kind: "absent" },
      },
    ]);
    const found = execFileSync("find", [stateDirectory, "-printf", "%y %m %P\n"], {
      encoding: "utf8",
    });
    const modes = new Set(
      found
        .trim()
        .split("\n")
        .map((line) => line.split(" ").slice(0, 2).join(" ")),
    );
    expect(modes).toEqual(new Set(["d 700", "f 600"]));
  });

  it("has an id that tells workspaces of one name apart", () => {
    const one = createDiskWorkspace();
    const two = createDiskWorkspace();
    const [first, second] = [one, two].map(({ computer }) => computer.openSession("s").id);
    expect(first).toMatch(/^workspace-[0-9a-f]{8}\/s$/u);
    expect(first).not.toBe(second);
  });

  it("names its sidecars by where they land", async () => {
    const { root, outside } = createDiskWorkspace();
    symlinkSync(outside, join(root, "..", "link"));
    const computer = createDiskComputer({
      workspace: root,
      stateDirectory: join(root, "..", "link", "state"),
    });
    const { directory } = computer.openSession("s").sidecars;
    expect(directory.startsWith(`${outside}/state/`)).toBe(true);
  });

  it("comes back after its directory was removed", async () => {
    const { computer, stateDirectory } = createDiskWorkspace();
    const session = computer.openSession("s");
    await session.state.set("key", 1);
    rmSync(stateDirectory, { recursive: true });
    await session.state.set("key", 2);
    expect(await session.state.get("key")).toBe(2);
    expect(existsSync(join(session.directory, "session.json"))).toBe(true);
  });

  it("says which file does not hold what it should", async () => {
    const { computer } = createDiskWorkspace();
    const session = computer.openSession("s");
    await session.state.set("key", 1);
    const file = join(session.directory, "state/key.json");
    writeFileSync(file, "{");
    await expect(session.state.get("key")).rejects.toThrow(file);
  });

  it("keeps whole values when two processes write the same one", { timeout: 30_000 }, async () => {
    const { root, computer, stateDirectory } = createDiskWorkspace();
    const { state } = computer.openSession("shared");
    const writers = ["a", "b"].map((letter) =>
      runSource("set-state.ts", [root, stateDirectory, letter]),
    );
    const seen: unknown[] = [];
    const all = Promise.all(writers).then(() => "done");
    for (let outcome = ""; outcome !== "done"; ) {
      seen.push(await state.get("key"));
      outcome = (await Promise.race([
        all,
        new Promise((resolve) => setTimeout(resolve, 5, "")),
      ])) as string;
    }
    for (const value of seen) {
      if (value === undefined) continue;
      const text = String(value);
      expect(text).toBe((text[0] ?? "").repeat(20_000));
    }
  });

  it.skipIf(!isRoot)(
    "says what to do when the disk is full (needs root to mount one)",
    async () => {
      const { root } = createDiskWorkspace();
      const disk = mountSmallDisk(128);
      const computer = createDiskComputer({ workspace: root, stateDirectory: disk });
      const { sidecars, state, journal } = computer.openSession("s");
      await expect(sidecars.write("call", "x".repeat(300_000))).rejects.toMatchObject({
        code: "quota",
        message: expect.stringMatching(new RegExp(`${sidecars.directory}.*HAFT_HOME`, "u")),
      });
      expect(readdirSync(sidecars.directory)).toEqual([]);
      await expect(state.set("key", "x".repeat(300_000))).rejects.toMatchObject({ code: "quota" });
      expect(await state.get("key")).toBeUndefined();
      const before: PathState = { kind: "file", content: new Uint8Array(300_000) };
      const recording = async () =>
        journal.record([{ callId: "c", path: "/x", before, after: { kind: "absent" } }]);
      await expect(recording()).rejects.toMatchObject({ code: "quota" });
      expect(await sidecars.write("call", "small")).toBe(join(sidecars.directory, "call.txt"));
    },
  );

  it("says what to do when it may not write", async () => {
    const { root, stateDirectory } = createDiskWorkspace();
    // A file where the directory should be stops root too.
    writeFileSync(stateDirectory, "");
    const computer = createDiskComputer({ workspace: root, stateDirectory });
    const { sidecars, state } = computer.openSession("s");
    for (const attempt of [sidecars.write("call", "x"), state.set("key", 1)]) {
      await expect(attempt).rejects.toMatchObject({
        code: "failed",
        message: expect.stringMatching(/HAFT_HOME/u),
      });
    }
  });
});

describe("the rules of a session on disk", () => {
  const rule = { permission: "write", pattern: "src/**", action: "allow" } as const;

  it("are plain text that people edit", async () => {
    const { computer, root } = createDiskWorkspace();
    const { rules } = computer.openSession("s");
    const file = join(root, ".haft/rules");
    mkdirSync(join(root, ".haft"));
    writeFileSync(file, "# ours\n\n  bash git log * allow  \r\n# no newline at the end");
    await rules.add("project", rule);
    expect(readFileSync(file, "utf8")).toBe(
      "# ours\n\n  bash git log * allow  \r\n# no newline at the end\nwrite src/** allow\n",
    );
    expect(rules.list("project")).toEqual([
      { permission: "bash", pattern: "git log *", action: "allow", isUntrusted: true },
      rule,
    ]);
  });

  it("keep a person's comments and the file's mode when one is removed", async () => {
    const { computer, root } = createDiskWorkspace();
    const path = join(root, ".haft/rules");
    mkdirSync(join(root, ".haft"));
    writeFileSync(path, "# mine\nwrite a allow\n\n  write b   allow\n", { mode: 0o640 });
    chmodSync(path, 0o640);
    const { rules } = computer.openSession("s");
    expect(await rules.remove("project", { ...rule, pattern: "b" })).toBe(true);
    expect(readFileSync(path, "utf8")).toBe("# mine\nwrite a allow\n\n");
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  it("are read again when the file has changed", async () => {
    const { computer, root } = createDiskWorkspace();
    const { rules } = computer.openSession("s");
    await rules.add("project", rule);
    writeFileSync(join(root, ".haft/rules"), "read * deny\n");
    expect(rules.list("project")).toMatchObject([
      { permission: "read", pattern: "*", action: "deny" },
    ]);
    rmSync(join(root, ".haft/rules"));
    expect(rules.list("project")).toEqual([]);
  });

  it("name the file and the line that is wrong", async () => {
    const { computer, root } = createDiskWorkspace();
    mkdirSync(join(root, ".haft"));
    writeFileSync(join(root, ".haft/rules"), "read * allow\n\nwrite everything\n");
    const { rules } = computer.openSession("s");
    expect(() => rules.list("project")).toThrow(`${root}/.haft/rules, line 3:`);
    await expect(rules.add("project", rule)).rejects.toThrow("line 3");
  });

  it("are not written through a link that the workspace put there", async () => {
    const { computer, root, outside } = createDiskWorkspace();
    symlinkSync(outside, join(root, ".haft"));
    const { rules } = computer.openSession("s");
    await expect(rules.add("project", rule)).rejects.toThrow("through a link");
    expect(readdirSync(outside)).toEqual([]);
  });

  it.each<[string, (root: string, writable: string) => void]>([
    ["the directory is a link", (root, to) => symlinkSync(to, join(root, ".haft"))],
    [
      "the directory is a link to a link",
      (root, to) => {
        symlinkSync(to, join(root, "between"));
        symlinkSync("between", join(root, ".haft"));
      },
    ],
    [
      "the file is a link",
      (root, to) => {
        mkdirSync(join(root, ".haft"));
        symlinkSync(join(to, "rules"), join(root, ".haft/rules"));
      },
    ],
    [
      "the file is a link to a link",
      (root, to) => {
        mkdirSync(join(root, ".haft"));
        symlinkSync(join(to, "rules"), join(root, ".haft/next"));
        symlinkSync("next", join(root, ".haft/rules"));
      },
    ],
  ])("of the project are not read where %s", (_, link) => {
    const { computer, root } = createDiskWorkspace();
    const writable = join(root, "writable");
    mkdirSync(writable);
    const { rules } = computer.openSession("s");
    expect(rules.list("project")).toEqual([]);
    writeFileSync(join(writable, "rules"), "bash * allow\n");
    link(root, writable);
    for (const _time of [1, 2]) {
      expect(() => rules.list("project")).toThrow(
        /link\. Replace it with a regular file, or remove it/u,
      );
    }
  });

  it("of the project are not read when their directory becomes a link", async () => {
    const { computer, root } = createDiskWorkspace();
    const { rules } = computer.openSession("s");
    await rules.add("project", rule);
    expect(rules.list("project")).toEqual([rule]);
    renameSync(join(root, ".haft"), join(root, "moved"));
    symlinkSync("moved", join(root, ".haft"));
    expect(() => rules.list("project")).toThrow("through a link");
  });

  it("of the project are none where a plain file is in the directory's place", () => {
    const { computer, root } = createDiskWorkspace();
    writeFileSync(join(root, ".haft"), "bash * allow\n");
    expect(computer.openSession("s").rules.list("project")).toEqual([]);
  });

  it("do not hang on a pipe", () => {
    const { computer, root } = createDiskWorkspace();
    mkdirSync(join(root, ".haft"));
    execFileSync("mkfifo", [join(root, ".haft/rules")]);
    const { rules } = computer.openSession("s");
    expect(() => rules.list("project")).toThrow(`${root}/.haft/rules`);
  });

  it.each([
    { ...rule, pattern: "a\nbash * allow" },
    { ...rule, permission: "#write" },
    { ...rule, pattern: " a" },
    { ...rule, pattern: "" },
  ])("cannot smuggle in another line: %j", async (bad) => {
    const { computer, root } = createDiskWorkspace();
    const { rules } = computer.openSession("s");
    await expect(rules.add("project", bad)).rejects.toThrow(TypeError);
    expect(existsSync(join(root, ".haft/rules"))).toBe(false);
  });

  it("of the project are readable for everybody, as the process is set to", async () => {
    const { computer, root } = createDiskWorkspace();
    await computer.openSession("s").rules.add("project", rule);
    expect(statSync(join(root, ".haft/rules")).mode & 0o777).toBe(0o666 & ~process.umask());
    chmodSync(join(root, ".haft"), 0o755);
  });
});

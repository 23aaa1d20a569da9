import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WatchdogCall, WatchdogVerdict } from "@haft/core";
import { afterEach, describe, expect, it } from "vitest";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";
import { createExecutableWatchdog } from "./executable-watchdog.ts";

const call: WatchdogCall = {
  session: "s/1",
  callId: "c1",
  tool: "bash",
  kind: "execute",
  startedAt: 0,
  arguments: { command: "ls -l" },
  manifest: { name: "plan", rules: [{ permission: "write", pattern: "*", action: "deny" }] },
  roots: ["/"],
  home: undefined,
  subjects: [
    {
      type: "command",
      key: "ls $X",
      mode: "write",
      tree: false,
      cwd: "/",
      reading: {
        doubts: [],
        commands: [
          {
            words: ["ls", undefined],
            plainWords: ["ls", undefined],
            wrappers: [],
            risks: [],
            doubts: [],
            cwd: "/",
            effects: ["reads"],
          },
        ],
        writes: [],
        looseWords: [],
        readsOnly: true,
      },
    },
  ],
  command: undefined,
  secrets: [],
  earlier: [],
  identity: "",
  isSecret: () => false,
};

function plant(script: string, mode = 0o755): string {
  const path = join(makeTemporaryDirectory(), "guard");
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode });
  return path;
}

async function judge(script: string, timeoutMs?: number): Promise<WatchdogVerdict> {
  return createExecutableWatchdog(
    plant(script),
    timeoutMs === undefined ? {} : { timeoutMs },
  )(call);
}

afterEach(() => {
  delete process.env.HAFT_TEST_TOKEN;
});

describe("a watchdog that is a program", () => {
  it("lets a call continue with 0, whatever it prints", async () => {
    expect(await judge("echo fine; exit 0")).toEqual({ action: "allow" });
  });

  it("asks a person with 1 and refuses with 2, for the reason it prints", async () => {
    expect(await judge("echo looks odd; exit 1")).toEqual({ action: "ask", reason: "looks odd" });
    expect(await judge("printf '  not\\nthis ' >&2; exit 2")).toEqual({
      action: "deny",
      reason: "not this",
    });
  });

  it("makes one line of the reason, without characters that hide or steer, and cuts it", async () => {
    const odd = "\\033[31mred\\007 \\342\\200\\256gnorw\\342\\200\\213\\n x";
    expect(await judge(`printf '${odd}'; exit 2`)).toEqual({
      action: "deny",
      reason: "red gnorw x",
    });
    const { reason } = (await judge("printf '😀%.0s' $(seq 5000); exit 2")) as { reason: string };
    expect(reason).toBe(`${"😀".repeat(999)}…`);
  });

  it("does so without a reason too", async () => {
    expect(await judge("exit 1")).toMatchObject({
      action: "ask",
      reason: expect.stringMatching(/guard requires approval$/u),
    });
    expect(await judge("exit 2")).toMatchObject({
      action: "deny",
      reason: expect.stringMatching(/refused this call\.$/u),
    });
  });

  it("is told the call and the manifest as JSON (003:176)", async () => {
    const path = join(makeTemporaryDirectory(), "told.json");
    expect(await judge(`cat > ${path}`)).toEqual({ action: "allow" });
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      session: "s/1",
      call_id: "c1",
      tool: "bash",
      kind: "execute",
      arguments: { command: "ls -l" },
      manifest: call.manifest,
      roots: ["/"],
      commands: [
        {
          command: "ls $X",
          cwd: "/",
          reading: expect.objectContaining({
            commands: [expect.objectContaining({ words: ["ls", null] })],
          }),
        },
      ],
    });
  });

  it("may decide before it has read everything", async () => {
    const guard = createExecutableWatchdog(plant("exec <&-; echo no; exit 2"));
    const long = { ...call, arguments: { content: "x".repeat(5_000_000) } };
    expect(await guard(long)).toEqual({ action: "deny", reason: "no" });
  });

  it("gets no secrets of this process, and runs where it is told", async () => {
    process.env.HAFT_TEST_TOKEN = "abc";
    const directory = makeTemporaryDirectory();
    const guard = createExecutableWatchdog(plant('echo "$HAFT_TEST_TOKEN|$(pwd -P)"; exit 1'), {
      cwd: directory,
    });
    expect(await guard(call)).toEqual({ action: "ask", reason: `|${directory}` });
  });

  it.each([
    ["exits otherwise", "echo broken; exit 3", /failed \(it exited with 3: broken\)/u],
    ["is not found inside", "no-such-program-anywhere; exit $?", /it exited with 127/u],
    ["is ended by a signal", "kill -TERM $$", /failed \(SIGTERM ended it\)/u],
  ])("refuses if it %s", async (_, script, reason) => {
    expect(await judge(script)).toEqual({
      action: "deny",
      reason: expect.stringMatching(reason),
    });
  });

  it("refuses if it is not there, not executable or no program", async () => {
    const directory = makeTemporaryDirectory();
    const missing = createExecutableWatchdog(join(directory, "none"));
    expect(await missing(call)).toMatchObject({
      action: "deny",
      reason: expect.stringMatching(/there is no such file/u),
    });
    const closed = createExecutableWatchdog(plant("exit 0", 0o644));
    expect(await closed(call)).toMatchObject({
      action: "deny",
      reason: expect.stringMatching(/it is not executable/u),
    });
    mkdirSync(join(directory, "folder"));
    const folder = createExecutableWatchdog(join(directory, "folder"));
    expect(await folder(call)).toMatchObject({ action: "deny" });
  });

  it("is killed with all it started when its time is up, and refuses", async () => {
    const trace = join(makeTemporaryDirectory(), "trace");
    const script = `(while :; do echo x >> ${trace}; sleep 0.02; done) & trap '' TERM; wait`;
    expect(await judge(script, 3_000)).toEqual({
      action: "deny",
      reason: expect.stringMatching(/it took longer than 3 seconds/u),
    });
    const { size } = statSync(trace);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(statSync(trace).size).toBe(size);
  });

  it("does not wait for what it left behind", async () => {
    expect(await judge("sleep 30 & exit 0")).toEqual({ action: "allow" });
  });

  it("says no more than fits, however much it prints", async () => {
    const verdict = await judge("head -c 3000000 /dev/zero | tr '\\0' x; exit 2");
    expect(verdict).toEqual({ action: "deny", reason: `${"x".repeat(1999)}…` });
  });
});

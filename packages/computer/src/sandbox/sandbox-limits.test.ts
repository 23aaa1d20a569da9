import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { openTestSandbox, type TestSandbox } from "../test-support/open-test-sandbox.ts";

const megabyte = 1024 ** 2;

describe.skipIf(isMissing("bwrap"))("a sandbox", () => {
  let tested: TestSandbox;
  beforeAll(async () => {
    tested = await openTestSandbox();
  });
  afterAll(() => tested?.close());

  it("bounds a fork bomb, and others continue", async () => {
    const workspace = tested.makeWorkspace();
    const bomb = tested.run(
      workspace,
      `perl -e '$n = 1; while (defined($pid = fork)) { $n++; $pid or sleep(5), exit } print "$n\\n"'`,
    );
    const [{ output }, other] = await Promise.all([
      bomb,
      tested.run(tested.makeWorkspace(), "for i in 1 2 3 4 5; do /bin/echo $i; done"),
    ]);
    expect(Number(output)).toBeGreaterThan(400);
    expect(Number(output)).toBeLessThanOrEqual(512);
    expect(other.output).toBe("1\n2\n3\n4\n5\n");
    expect(execFileSync("echo", ["still here"], { encoding: "utf8" })).toBe("still here\n");
  });

  it("can't lift its limits", async () => {
    const { output } = await tested.run(
      tested.makeWorkspace(),
      "ulimit -u 4000 2>/dev/null && echo ESCAPED; ulimit -d unlimited 2>/dev/null && echo ESCAPED; ulimit -c; ulimit -u",
    );
    expect(output).toBe("0\n512\n");
  });

  it("bounds the memory of a process", async () => {
    const { exitCode, output } = await tested.run(
      tested.makeWorkspace(),
      `perl -e '$x = "x" x 300_000_000; print "ESCAPED"' 2>&1`,
      { limits: { memoryBytes: 100 * megabyte } },
    );
    expect(exitCode).not.toBe(0);
    expect(output).not.toContain("ESCAPED");
  });

  it("bounds the size of a file", async () => {
    const workspace = tested.makeWorkspace();
    const { exitCode } = await tested.run(workspace, "head -c 5000000 /dev/zero >big", {
      limits: { fileBytes: megabyte },
    });
    expect(exitCode).not.toBe(0);
    expect(statSync(join(workspace, "big")).size).toBe(megabyte);
  });

  it("bounds the time that a process computes", async () => {
    const { exitCode } = await tested.run(tested.makeWorkspace(), "while :; do :; done", {
      limits: { cpuSeconds: 1 },
    });
    expect(exitCode).toBe(128 + 9);
  });

  it("keeps what is in memory small", async () => {
    const { output } = await tested.run(
      tested.makeWorkspace(),
      "head -c 300000000 /dev/zero 2>&1 >/dev/shm/big; head -c 1000000 /dev/zero 2>&1 >/dev/big; df -k /tmp /var/tmp ~ | awk 'NR > 1 && $2 > 2200000'",
    );
    expect(output).toMatch(/^head: .*No space left.*\n.*Read-only file system\n$/u);
  });

  it("is the first to go when memory runs out", async () => {
    const { output } = await tested.run(tested.makeWorkspace(), "cat /proc/self/oom_score_adj");
    expect(output).toBe("500\n");
  });

  it.each([
    ["exit 7", 7],
    ["kill -9 $$", 128 + 9],
    ["kill -SEGV $$", 128 + 11],
    ["no-such-program", 127],
    ["kill -TERM 0; sleep 5", 128 + 15],
    ["(exit 3)", 3],
  ])("ends with the code of: %s", async (command, code) => {
    const { exitCode } = await tested.run(tested.makeWorkspace(), command);
    expect(exitCode).toBe(code);
  });

  it("says nothing of its own", async () => {
    const { output } = await tested.run(tested.makeWorkspace(), "kill -9 $$");
    expect(output).toBe("");
  });

  it("tells what is still running, with its ports", async () => {
    const listen = `require("net").createServer().listen(0, "127.0.0.1", function () { require("fs").writeFileSync("port", String(this.address().port)) })`;
    const workspace = tested.makeWorkspace();
    const { left, exitCode } = await tested.run(
      workspace,
      `setsid sleep 1000 & ${process.execPath} -e '${listen}' "a \\"quoted\\" \\\\ word"$'\\n\\t\\x01ü' &
      while ! [ -s port ]; do sleep 0.01; done; ( nohup sleep 2000 & ) ; cp port seen; exit 4`,
    );
    expect(exitCode).toBe(4);
    const port = Number(execFileSync("cat", [join(workspace, "seen")], { encoding: "utf8" }));
    expect(left).toEqual(
      expect.arrayContaining([
        { pid: expect.any(Number), command: "sleep 1000", ports: [] },
        { pid: expect.any(Number), command: "sleep 2000", ports: [] },
        {
          pid: expect.any(Number),
          command: `${process.execPath} -e ${listen} a "quoted" \\ word\n\t\u0001ü`,
          ports: [port],
        },
      ]),
    );
    expect(left).toHaveLength(3);
  });

  it("ends what is left, whether it likes to or not", async () => {
    const workspace = tested.makeWorkspace();
    const script = "trap '' TERM HUP INT; while :; do sleep 0.01; date >>beat; done";
    await tested.run(workspace, `setsid bash -c '${script}' & while ! [ -s beat ]; do :; done`);
    const beat = statSync(join(workspace, "beat")).size;
    await new Promise((done) => setTimeout(done, 100));
    expect(statSync(join(workspace, "beat")).size).toBe(beat);
  });

  it("refuses a command that no shell could be given", async () => {
    const workspace = tested.makeWorkspace();
    await expect(tested.run(workspace, `: ${"x".repeat(200_000)}`)).rejects.toMatchObject({
      code: "too-large",
    });
    await expect(tested.run(workspace, "a\0b")).rejects.toMatchObject({
      code: "invalid-arguments",
    });
    expect((await tested.run(workspace, `: ${"x".repeat(120_000)}`)).exitCode).toBe(0);
  });
});

import { readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { createBroker } from "../broker/broker.ts";
import { openTestSandbox, type TestSandbox } from "../test-support/open-test-sandbox.ts";
import { isRoot } from "../test-support/privileges.ts";
import type { LaunchPlan } from "./launch-plan.ts";
import { openPaths } from "./open-paths.ts";
import { brokerStartFor } from "./open-sandbox.ts";

// What others fell into who put programs into bubblewrap.
describe.skipIf(isMissing("bwrap"))("a sandbox", () => {
  let tested: TestSandbox;
  const run = async (command: string, files?: Readonly<Record<string, string>>): Promise<string> =>
    (await tested.run(tested.makeWorkspace(files), command)).output;

  beforeAll(async () => {
    process.env.HAFT_TEST_TOKEN = "sandbox-secret-value";
    tested = await openTestSandbox();
  });
  afterAll(() => {
    delete process.env.HAFT_TEST_TOKEN;
    tested?.close();
  });

  it("1: holds no capability, also for root", async () => {
    expect(await run("grep ^Cap /proc/self/status | cut -f2 | sort -u")).toBe("0000000000000000\n");
    expect(await run("mount -o remount,rw,bind / 2>&1; touch /made; ls /made")).toMatch(
      /cannot access '\/made'|No such file/u,
    );
  });

  it("2: shows nothing of our environment and arguments in its first process", async () => {
    const workspace = tested.makeWorkspace();
    const { plan } = await tested.sandbox.prepare({
      run: { command: "cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr '\\0' '\\n'" },
      cwd: workspace,
      environment: { PATH: process.env.PATH ?? "", GIVEN: "given-value" },
      readable: [],
      writable: [workspace],
    });
    expect(plan.environment).toEqual({});
    expect(plan.args.join(" ")).not.toContain("given-value");
    const { output } = await tested.launch(plan);
    expect(output).toContain("GIVEN=given-value");
    for (const hidden of ["sandbox-secret-value", "bwrap", "--bind", tested.place.stateDirectory]) {
      expect(output).not.toContain(hidden);
    }
  });

  it("3: leaves nothing behind whenever it is killed", async () => {
    const workspace = tested.makeWorkspace();
    const seconds = `9${process.pid}.${Date.now() % 100_000}`;
    const prepared = await tested.sandbox.prepare({
      run: { command: `sleep ${seconds} & setsid sleep ${seconds} & sleep ${seconds}` },
      cwd: workspace,
      environment: { PATH: process.env.PATH ?? "" },
      readable: [],
      writable: [workspace],
    });
    expect(prepared.plan.descriptors.map(({ role }) => role)).toEqual(
      expect.arrayContaining(["info", "block"]),
    );
    const broker = createBroker(brokerStartFor(tested.place));
    try {
      for (let index = 0; index < 48; index++) {
        const launched = await broker.launch(prepared.plan, { output: () => undefined });
        await wait(index % 12);
        launched.kill();
        await launched.ended;
        expect(findProcesses(seconds)).toEqual([]);
      }
    } finally {
      broker.close();
    }
    expect(readdirSync(workspace)).toEqual([]);
  });

  it("4: ends with whatever started it", async () => {
    const seconds = `8${process.pid}.${Date.now() % 100_000}`;
    const prepared = await tested.sandbox.prepare({
      run: { command: `setsid sleep ${seconds} & sleep ${seconds}` },
      cwd: tested.makeWorkspace(),
      environment: { PATH: process.env.PATH ?? "" },
      readable: [],
      writable: [join(tested.base, "work")],
    });
    const broker = createBroker(brokerStartFor(tested.place));
    const { ended } = await broker.launch(prepared.plan, { output: () => undefined });
    const failed = expect(ended).rejects.toThrow();
    while (findProcesses(seconds).length < 2) await wait(5);
    broker.kill();
    await failed;
    while (findProcesses(seconds).length > 0) await wait(5);
  });

  it("5: counts processes, because it runs as a separate user outside", async () => {
    const workspace = tested.makeWorkspace();
    const { output } = await tested.run(
      workspace,
      `perl -e 'for (1 .. 40) { $pid = fork; defined $pid or print("$_: $!\n"), last; $pid or sleep(9), exit }'`,
      { limits: { processes: 12 } },
    );
    expect(output).toMatch(/^\d+: Resource temporarily unavailable\n$/u);
    if (!isRoot) return;
    const seconds = `7${process.pid}.${Date.now() % 100_000}`;
    const running = tested.run(
      workspace,
      `sleep ${seconds} & while ! [ -e seen ]; do sleep 0.01; done`,
    );
    while (findProcesses(seconds).length === 0) await wait(5);
    const [pid] = findProcesses(seconds);
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    expect(status).toMatch(/^Uid:(?:\t(?:19|20)\d{8}){4}$/mu);
    expect(status).toMatch(/^Groups:\t(?:(?:19|20)\d{8})? ?$/mu);
    writeFileSync(join(workspace, "seen"), "");
    await running;
  });

  it("6: inherits no descriptor, and follows no link that took a source's place", async () => {
    const workspace = tested.makeWorkspace({ "sub/file": "" });
    const { plan } = await tested.sandbox.prepare({
      run: { command: "ls /proc/$$/fd; ls -l /proc/*/fd/ 2>&1 | grep -c passwd" },
      cwd: join(workspace, "sub"),
      environment: { PATH: process.env.PATH ?? "" },
      readable: [],
      writable: [join(workspace, "sub")],
    });
    const start = brokerStartFor(tested.place);
    const leak = ["/bin/bash", "-c", 'exec 42</etc/passwd; exec "$@"', "leak"];
    const broker = createBroker({ prefix: [...leak, ...start.prefix] });
    try {
      expect(await print(plan, broker)).toBe("0\n1\n2\n0\n");
      renameSync(join(workspace, "sub"), join(workspace, "moved"));
      symlinkSync(tested.home, join(workspace, "sub"));
      expect(() => openPaths(plan)).toThrow("has become a link");
      await expect(print(plan, broker)).rejects.toThrow("has become a link");
    } finally {
      broker.close();
    }
  });

  it("7: can't change the kernel's settings as any user", async () => {
    const output = await run(
      "for f in kernel/core_pattern kernel/hostname vm/overcommit_memory net/ipv4/ip_forward; do echo x >>/proc/sys/$f; done 2>&1; grep -c ' /proc/sys ro,' /proc/self/mountinfo",
    );
    expect(output.match(/Read-only file system|Permission denied/gu)).toHaveLength(4);
    expect(output).toMatch(/\n1\n$/u);
  });
});

async function print(plan: LaunchPlan, broker: ReturnType<typeof createBroker>): Promise<string> {
  let output = "";
  const launched = await broker.launch(plan, {
    output: (bytes) => {
      output += bytes.toString("utf8");
      return undefined;
    },
  });
  await launched.ended;
  return output;
}

/** The processes of this machine that have a word on their command line. */
function findProcesses(word: string): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(word);
      } catch {
        return false;
      }
    });
}

import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { createBroker } from "../broker/broker.ts";
import { isRoot } from "../test-support/privileges.ts";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";
import type { LaunchReport } from "./launch-plan.ts";
import { createBubblewrapSandbox } from "./linux/bubblewrap-sandbox.ts";
import { describeMachine, type Machine } from "./linux/machine.ts";
import { probeSandbox } from "./linux/probe-sandbox.ts";
import { brokerStartFor, openSandbox } from "./open-sandbox.ts";
import type { Sandbox, SandboxFinding } from "./sandbox.ts";
import type { ProbeLaunch, SandboxContext } from "./sandbox-context.ts";
import { createSeccompFilter } from "./seccomp/seccomp-filter.ts";

describe.skipIf(isMissing("bwrap"))("openSandbox", () => {
  it("finds the sandbox of this machine", async () => {
    const { place, launch } = open();
    const finding = await openSandbox(place, launch);
    expect(finding).toMatchObject({
      sandbox: { name: "bubblewrap" },
      detail: expect.stringContaining("bwrap"),
    });
    if (isRoot)
      expect(finding).toMatchObject({ detail: expect.stringContaining("instead of root") });
  });

  it("says what is missing and how to get it", async () => {
    const { place, launch, bin } = open();
    // A search path on which there is nothing, and no other place where it could be.
    const finding = await withoutPrograms(place, launch, bin);
    expect(finding).toMatchObject({
      sandbox: undefined,
      reason: expect.stringContaining("bubblewrap"),
      remedy: expect.stringContaining("apt-get install bubblewrap"),
    });
  });

  // Each takes the place of bubblewrap and leaves out something of what it should do.
  it.each([
    ["confines nothing", 'exec "$@"', /is not secure: .*port outside.*processes can be seen/u],
    [
      "does not start",
      'echo "bwrap: No permissions to create new namespace" >&2; exit 1',
      /user namespaces are not available/u,
    ],
    ["is too old", 'echo "bwrap: Unknown option --bind-fd" >&2; exit 1', /too old/u],
    [
      "has no /proc",
      'echo "bwrap: Can\'t mount proc on /newroot/proc: Operation not permitted" >&2; exit 1',
      /its own \/proc/u,
    ],
    ["says nothing", "exit 0", /could not be launched: nothing was printed/u],
    ["lies", "echo done; echo 'escaped: everything'", /is not secure: everything/u],
  ])("rejects a sandbox that %s", async (_, script, reason) => {
    const { place, launch, bin } = open();
    writeFileSync(
      join(bin, "bwrap"),
      `#!/bin/bash\necho '{"child-pid": '$$'}' >&6; shift 3\n${script}\n`,
      { mode: 0o755 },
    );
    const finding = await openSandbox(
      { ...place, searchPath: `${bin}:${place.searchPath}` },
      launch,
    );
    expect(finding).toMatchObject({ sandbox: undefined, reason: expect.stringMatching(reason) });
    expect(finding).toMatchObject({ remedy: expect.stringMatching(/\w \w/u) });
  });

  it.each([
    { but: "has capabilities", more: "--cap-add ALL", why: /it has capabilities/u },
    { but: "shares the network", more: "--share-net", why: /a port outside could be reached/u },
    { but: "filters no calls", less: '"--seccomp "*', words: 2, why: /calls are not filtered/u },
    {
      but: "leaves / open",
      less: '"--remount-ro / "*',
      words: 2,
      why: /file in \/ could be made/u,
    },
    { but: "shows a secret", less: '"--ro-bind "*"/unreadable "*.env*', words: 3, why: /secret/u },
  ])("rejects a sandbox that $but", async ({ more = "", less = '""', words = 1, why }) => {
    const { place, launch, bin } = open();
    // The real one, told something else than it should be.
    writeFileSync(
      join(bin, "bwrap"),
      `#!/bin/bash
      mapfile -d '' -t given <&4
      kept=()
      for ((i = 0; i < \${#given[@]}; i++)); do
        if [[ "\${given[*]:i:3} " == ${less} ]]; then ((i += ${words} - 1)); continue; fi
        kept+=("\${given[i]}")
      done
      shift 3
      exec /usr/bin/bwrap --args 4 ${more} -- "$@" 4< <(printf '%s\\0' "\${kept[@]}")
      `,
      { mode: 0o755 },
    );
    const searchPath = `${bin}:${place.searchPath}`;
    expect(await openSandbox({ ...place, searchPath }, launch)).toMatchObject({
      sandbox: undefined,
      reason: expect.stringMatching(why),
    });
  });

  it("uses no program that a command could have put there", async () => {
    const { place, launch } = open();
    const planted = join(place.roots[0] ?? "", "bwrap");
    writeFileSync(planted, "#!/bin/sh\necho done\n", { mode: 0o755 });
    const searchPath = `${place.roots[0]}:${place.searchPath}`;
    expect(await openSandbox({ ...place, searchPath }, launch)).toMatchObject({
      detail: expect.stringMatching(/bubblewrap \(\/usr\//u),
    });
  });

  it("says why it can't be furnished", async () => {
    const { place, launch } = open();
    const stateDirectory = join(place.stateDirectory, "file/below");
    mkdirSync(place.stateDirectory, { recursive: true });
    writeFileSync(join(place.stateDirectory, "file"), "");
    expect(await openSandbox({ ...place, stateDirectory }, launch)).toMatchObject({
      sandbox: undefined,
      reason: expect.stringContaining("files of the sandbox"),
      remedy: expect.stringContaining(stateDirectory),
    });
  });

  it.runIf(isRoot)("says of a workspace whose owner can't be mapped that it can't", async () => {
    const { place } = open({ roots: ["/proc/sys/fs"] });
    const start = brokerStartFor(open().place);
    expect(start.prefix[0]).toMatch(/perl/u);
    const failing = [...start.prefix];
    // Something of the kernel's own, which has no owners to map.
    failing[failing.lastIndexOf("write") + 3] = "/proc/sys/fs";
    const finding = await openSandbox(place, async () => {
      const [program = "", ...args] = failing;
      const child = spawn(program, [...args, "/bin/true"]);
      let said = "";
      child.stderr.on("data", (text) => {
        said += String(text);
      });
      await new Promise((resolve) => child.once("close", resolve));
      throw new Error(`The broker is gone: exit code 121: ${said}`);
    });
    expect(finding).toMatchObject({
      sandbox: undefined,
      reason: expect.stringMatching(/can't be mapped to another owner: Invalid argument/u),
      remedy: expect.stringContaining("ext4"),
    });
  });

  it("needs no other shell than bash", async () => {
    const { place, launch } = open();
    const filter = createSeccompFilter(process.arch, { isForRoot: isRoot }) ?? new Uint8Array();
    const machine = { ...describeMachine(place), dash: undefined };
    const sandbox = createBubblewrapSandbox({ program: "/usr/bin/bwrap", filter }, machine);
    const { plan } = await sandbox.prepare({
      run: { command: "echo $0; ulimit -u; ls /proc/$$/fd; ulimit -f; kill -9 $$" },
      cwd: place.roots[0] ?? "",
      environment: { PATH: "/usr/bin", BASH_ENV: "/no/such" },
      readable: [],
      writable: place.roots,
      limits: { fileBytes: 1024 * 1024, processes: 77 },
    });
    const { output, exitCode } = await launch(plan);
    expect({ output, exitCode }).toEqual({ output: "bash\n77\n0\n1\n2\n1024\n", exitCode: 137 });
  });
});

describe.skipIf(isMissing("bwrap"))("a sandbox where there is no bash", () => {
  const filter = createSeccompFilter(process.arch, { isForRoot: isRoot }) ?? new Uint8Array();
  const hidden = "--ro-bind /dev/null /usr/bin/bash";

  /** A machine with nothing but sh, and a launcher that gets more options. */
  function openWithSh(
    more: string,
  ): Opened & { machine: Machine; sandbox: Pick<Sandbox, "prepare"> } {
    const opened = open();
    const { user, ...found } = describeMachine(opened.place);
    const sh = "/bin/sh";
    const machine = { ...found, user: { ...user, shell: sh }, shell: sh, dash: sh };
    const program = join(opened.bin, "bwrap");
    const words = `shift 2; exec /usr/bin/bwrap --args 4 ${more} "$@"`;
    writeFileSync(program, `#!/bin/sh\n${words}\n`, { mode: 0o755 });
    chmodSync(dirname(opened.bin), 0o755);
    return { ...opened, machine, sandbox: createBubblewrapSandbox({ program, filter }, machine) };
  }

  it("runs commands in sh, and tells what is still running", async () => {
    const { place, launch, sandbox } = openWithSh(hidden);
    const [root = ""] = place.roots;
    const { plan } = await sandbox.prepare({
      run: {
        command: `echo $0 $SHELL; bash -c 'echo bash' || echo none
          sleep 1000 & until grep -qa ^sleep /proc/$!/cmdline; do :; done; exit 3`,
      },
      cwd: root,
      environment: { PATH: "/usr/bin:/bin" },
      readable: [],
      writable: place.roots,
    });
    const { output, exitCode, left } = await launch(plan);
    expect(output).toMatch(/^sh \/bin\/sh\n(?:.*bash.*\n)?none\n/u);
    expect(exitCode).toBe(3);
    expect(left).toEqual([{ pid: expect.any(Number), command: "sleep 1000", ports: [] }]);
  });

  it.each([
    { but: "is as it should be", more: hidden, why: undefined },
    { but: "has capabilities", more: `${hidden} --cap-add ALL`, why: /it has capabilities/u },
    { but: "shares the network", more: `${hidden} --share-net`, why: /a port outside could be/u },
  ])("is tried in sh: one that $but", async ({ more, why }) => {
    const { machine, launch, sandbox } = openWithSh(more);
    const obstacle = await probeSandbox(sandbox, { machine, launch, prefix: [] });
    expect(obstacle).toEqual(
      why && { reason: expect.stringMatching(why), remedy: expect.any(String) },
    );
  });
});

describe("openSandbox elsewhere", () => {
  it("says that Windows has none", async () => {
    const { place, launch } = open();
    const { platform } = process;
    onTestFinished(() => void Object.defineProperty(process, "platform", { value: platform }));
    Object.defineProperty(process, "platform", { value: "win32" });
    expect(await openSandbox(place, launch)).toMatchObject({
      sandbox: undefined,
      reason: expect.stringContaining("Windows has no supported sandbox"),
      remedy: expect.stringContaining("WSL"),
    });
  });
});

describe("brokerStartFor", () => {
  it("starts brokers as we are, unless we are root", () => {
    const { prefix, key } = brokerStartFor(open().place);
    expect(prefix.length > 0).toBe(isRoot);
    expect(key).toMatch(isRoot ? /^[0-9a-f]{64}$/u : /^as-we-are$/u);
  });

  it("gives equal places equal keys, and others others", () => {
    const { place } = open();
    expect(brokerStartFor({ ...place })).toEqual(brokerStartFor(place));
    if (isRoot) expect(brokerStartFor(open().place).key).not.toBe(brokerStartFor(place).key);
  });
});

interface Opened {
  readonly place: SandboxContext;
  launch(
    ...given: Parameters<ProbeLaunch>
  ): Promise<Awaited<ReturnType<ProbeLaunch>> & LaunchReport>;
  /** A directory for programs. */
  readonly bin: string;
}

function open(given: Partial<SandboxContext> = {}): Opened {
  const base = makeTemporaryDirectory();
  const bin = join(base, "bin");
  const root = join(base, "work");
  for (const directory of [bin, root]) mkdirSync(directory);
  const place: SandboxContext = {
    roots: [root],
    home: join(base, "home"),
    stateDirectory: join(base, "state"),
    searchPath: `${bin}:${process.env.PATH}`,
    ...given,
  };
  let broker: ReturnType<typeof createBroker> | undefined;
  onTestFinished(() => broker?.close());
  const launch: Opened["launch"] = async (plan) => {
    broker ??= createBroker(brokerStartFor(place));
    let output = "";
    const launched = await broker.launch(plan, {
      output: (bytes) => {
        output += bytes.toString("utf8");
        return undefined;
      },
    });
    const { exitCode, left } = await launched.ended;
    return { exitCode, left, output };
  };
  return { place, launch, bin };
}

/** Asks in a machine, as far as programs go, that has nothing but bash. */
async function withoutPrograms(
  place: SandboxContext,
  launch: ProbeLaunch,
  bin: string,
): Promise<SandboxFinding> {
  symlinkSync("/bin/bash", join(bin, "bash"));
  chmodSync(bin, 0o755);
  // Whatever is in the usual places counts as a command's work.
  return openSandbox({ ...place, roots: ["/usr"], searchPath: bin }, launch);
}

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { openTestSandbox, type TestSandbox } from "../test-support/open-test-sandbox.ts";
import { refusedCalls } from "./seccomp/system-calls.ts";

describe.skipIf(isMissing("bwrap"))("a sandbox, tried from inside,", () => {
  let tested: TestSandbox;
  let secret: string;
  const run = async (command: string): Promise<string> =>
    (await tested.run(tested.makeWorkspace(), command)).output;

  beforeAll(async () => {
    tested = await openTestSandbox();
    secret = join(tested.base, "outside.txt");
    writeFileSync(secret, "outside-content", { mode: 0o644 });
  });
  afterAll(() => tested?.close());

  // Each of them prints ESCAPED if it gets what it wants, and always comes to its end.
  it.each([
    ["write to the system", "echo x >/usr/made || echo x >/etc/made || echo x >/made"],
    ["replace a program", "cp /bin/true /usr/bin/env || mv /usr/bin/env /tmp"],
    ["write to a device directory", "touch /dev/made"],
    ["mount something", "mount -t tmpfs none /mnt || mount --bind /tmp /usr"],
    ["take a cover off", "umount /proc/sys || umount -l /etc"],
    ["make a mount writable", "mount -o remount,rw / || mount -o remount,rw,bind /usr"],
    ["have a user namespace", "unshare -U true || unshare -r true"],
    ["have other namespaces", "unshare -n true || unshare -m true || unshare -p -f true"],
    ["enter a namespace", "nsenter -t 1 -m true || nsenter -t 1 -U true"],
    ["change the root", "chroot / true"],
    ["make a device", "mknod disk b 254 0"],
    ["set the clock", "date -s '2001-01-01'"],
    ["name the machine", "hostname elsewhere || echo elsewhere >/proc/sys/kernel/hostname"],
    ["see the kernel's log", "dmesg"],
    ["see the control groups", "ls /sys/fs/cgroup || ls /sys/kernel"],
    ["become root with a program that can", "grep ' /usr ' /proc/self/mountinfo | grep -v nosuid"],
    ["gain rights from a program", "grep 'NoNewPrivs:.0' /proc/self/status"],
    ["make a program that runs as its owner", "cp /bin/true t; chmod u+s t"],
    ["reach the network by name", "exec 3<>/dev/tcp/example.com/80"],
    ["reach the network by number", "exec 3<>/dev/tcp/1.1.1.1/80 || exec 3<>/dev/udp/1.1.1.1/53"],
    ["reach another network by number", "exec 3<>/dev/tcp/169.254.169.254/80"],
    ["see passwords", "cat /etc/shadow || cat /etc/sudoers || ls /etc/ssh"],
    ["link to a file of the system", "ln /usr/bin/env linked"],
  ])("does not %s", async (_, command) => {
    const output = await run(`{ ${command}; } 2>/dev/null && echo ESCAPED; echo end`);
    expect(output).toMatch(/^(?!.*ESCAPED).*end\n$/su);
  });

  it("refuses every system call of the table", async () => {
    const numbers = Object.values(refusedCalls).map((call) => call[process.arch as "x64"]);
    const script = `for (${numbers.filter(Boolean).join(", ")}) {
      print "$_: ", syscall($_, 0, 0, 0, 0, 0, 0), " $!\\n" if syscall($_, 0, 0, 0, 0, 0, 0) != -1 || $! != 1
    } print "end\\n"`;
    expect(await run(`perl -e '${script}'`)).toBe("end\n");
  });

  it("has only the sockets that it needs", async () => {
    const script = `use Socket; for my $family (1, 2, 10, 16, 17, 38, 40, 31, 29) {
      print "$family ", (socket(my $s, $family, $family == 16 ? 3 : 1, 0) ? "yes" : 0 + $!), "\\n" }
      print "diag ", (socket(my $s, 16, 3, 4) ? "yes" : 0 + $!), "\\n"`;
    expect((await run(`perl -e '${script}'`)).trim().split("\n")).toEqual([
      ...["1 yes", "2 yes", "10 yes", "16 yes"],
      ...["17 1", "38 1", "40 1", "31 1", "29 1", "diag 1"],
    ]);
  });

  it("can't type into a terminal", async () => {
    const script = `open(my $t, "+<", "/dev/ptmx") or die "no terminal"; my $c = "x";
      for (0x5412, 0x541c) { ioctl($t, $_, $c) and print "ESCAPED"; print 0 + $!, "\\n" }`;
    expect(await run(`perl -e '${script}'`)).toBe("1\n1\n");
  });

  it("sees no process but its own", async () => {
    const output = await run(
      `ls -d /proc/[0-9]* | wc -l; kill -0 ${process.pid} 2>&1; kill -9 -1 2>&1; cat /proc/1/comm`,
    );
    expect(output).toMatch(/^[2-4]\n.*No such process/su);
    expect(() => process.kill(process.pid, 0)).not.toThrow();
  });

  it("finds no way out through the processes that it sees", async () => {
    const path = secret.replaceAll("'", "");
    const output = await run(
      `for d in /proc/1/root /proc/self/root /proc/1/cwd /proc/self/cwd /proc/*/fd/*; do cat "$d${path}" "$d/../../../..${path}"; done 2>/dev/null; echo end`,
    );
    expect(output).toBe("end\n");
  });

  it("sees nothing beside its workspace, by links neither", async () => {
    const workspace = tested.makeWorkspace();
    symlinkSync(secret, join(workspace, "link"));
    symlinkSync(tested.base, join(workspace, "up"));
    const { output } = await tested.run(
      workspace,
      `cat link up/outside.txt ${secret} ../../outside.txt 2>&1; ls ${tested.base} ..; ls /tmp`,
    );
    expect(output).not.toContain("outside-content");
    expect(output.match(/No such file/gu)).toHaveLength(4);
    expect(output).not.toContain("outside.txt\n");
  });

  it("writes nothing through a link to outside", async () => {
    const workspace = tested.makeWorkspace();
    symlinkSync(secret, join(workspace, "link"));
    await tested.run(
      workspace,
      "echo changed >link; cp /bin/true link; echo changed >/proc/self/cwd/link",
    );
    expect(readFileSync(secret, "utf8")).toBe("outside-content");
  });

  it("has a /tmp and a home of its own, which end with it", async () => {
    const name = `haft-own-${process.pid}`;
    const command = `ls /tmp /var/tmp ~ | grep -c ${name}; for d in /tmp /var/tmp /dev/shm ~; do echo x >$d/${name} || echo no; done`;
    expect(await run(command)).toBe("0\n");
    expect(await run(command)).toBe("0\n");
    for (const directory of ["/tmp", "/var/tmp", "/dev/shm", tested.home]) {
      expect(existsSync(join(directory, name))).toBe(false);
    }
  });

  it("has a name of its own", async () => {
    expect(await run("cat /proc/sys/kernel/hostname")).toBe("haft\n");
    expect(hostname()).not.toBe("haft");
  });

  it("reaches no port, datagram or socket of this machine", async () => {
    let reached = 0;
    const tcp = await listen(createServer(() => void reached++));
    const abstract = await listen(
      createServer(() => void reached++),
      `\0haft-abstract-${process.pid}`,
    );
    const udp = createSocket("udp4", () => void reached++).bind(0, "127.0.0.1");
    onTestFinished(() => void udp.close());
    await once(udp, "listening");
    const output = await run(
      `exec 3<>/dev/tcp/127.0.0.1/${(tcp.address() as AddressInfo).port} && echo ESCAPED
      echo x >/dev/udp/127.0.0.1/${udp.address().port}
      ${process.execPath} -e 'require("net").connect(${JSON.stringify(abstract.address())}).on("error", (e) => console.log(e.code)).on("connect", () => console.log("ESCAPED"))'`,
    );
    expect(output).not.toContain("ESCAPED");
    expect(output).toContain("ECONNREFUSED");
    // Had anything got through, it would be there before this.
    const probe = createSocket("udp4");
    onTestFinished(() => void probe.close());
    const heard = once(udp, "message");
    probe.send("last", udp.address().port, "127.0.0.1");
    await heard;
    expect(reached).toBe(1);
  });

  it("does not open a socket that lies outside", async () => {
    const path = join(tested.base, "outside.sock");
    await listen(
      createServer(() => expect.unreachable()),
      path,
    );
    const script = `require("net").connect(${JSON.stringify(path)}).on("error", (e) => console.log(e.code))`;
    expect(await run(`${process.execPath} -e '${script}'`)).toBe("ENOENT\n");
  });

  it("blocks everything if nothing is allowed", async () => {
    const workspace = tested.makeWorkspace({ file: "" });
    const nothing = { readable: [], writable: [] };
    await expect(tested.run(workspace, "true", nothing)).rejects.toMatchObject({
      code: "out-of-scope",
    });
    const other = tested.makeWorkspace();
    await expect(
      tested.run(workspace, "true", { readable: [other], writable: [] }),
    ).rejects.toMatchObject({ code: "out-of-scope" });
  });

  it.each(["/", "/usr", "/etc", "/proc", "/dev", "/sys", "/proc/self"])(
    "does not take %s for a workspace",
    async (path) => {
      const allowed = { writable: [path], cwd: path };
      await expect(tested.run(path, "true", allowed)).rejects.toMatchObject({
        code: expect.stringMatching(/unavailable|out-of-scope/u),
      });
    },
  );

  it("does not follow a link that a command puts where a directory was allowed", async () => {
    const workspace = tested.makeWorkspace();
    const outside = join(tested.base, "elsewhere");
    mkdirSync(outside, { recursive: true });
    symlinkSync(outside, join(workspace, "sub"));
    const allowed = { writable: [join(workspace, "sub")], cwd: join(workspace, "sub") };
    await expect(tested.run(workspace, "touch made", allowed)).rejects.toMatchObject({
      code: "out-of-scope",
    });
  });
});

async function listen(server: Server, path?: string): Promise<Server> {
  onTestFinished(() => void server.close());
  if (path === undefined) server.listen(0, "127.0.0.1");
  else server.listen(path);
  await once(server, "listening");
  return server;
}

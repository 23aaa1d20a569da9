import { once } from "node:events";
import { chmodSync, existsSync, linkSync, mkdirSync, renameSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { openNetwork } from "../shell/confine-run.ts";
import {
  openTestSandbox,
  type TestRunOptions,
  type TestSandbox,
} from "../test-support/open-test-sandbox.ts";

describe.skipIf(isMissing("bwrap"))("a socket in a workspace", () => {
  let tested: TestSandbox;
  beforeAll(async () => {
    tested = await openTestSandbox();
  });
  afterAll(() => tested?.close());

  /** What comes of connecting to each path, from inside. */
  const connect = async (
    workspace: string,
    paths: readonly string[],
    options?: TestRunOptions,
  ): Promise<string> => {
    const script = `for (const path of ${JSON.stringify(paths)}) require("net").connect(path)
      .on("error", (e) => console.log(path, e.code)).on("connect", () => console.log(path, "CONNECTED")).on("data", (d) => console.log(path, String(d))).on("end", () => {})`;
    return (await tested.run(workspace, "", { argv: [process.execPath, "-e", script], ...options }))
      .output;
  };

  it("of the host can't be connected to, by whatever name", async () => {
    const workspace = tested.makeWorkspace({ "sub/closed/": "" });
    const other = tested.makeWorkspace();
    await serve(join(workspace, "host.sock"));
    await serve(join(workspace, "sub/deep.sock"));
    await serve(join(workspace, "sub/closed/x.sock"));
    await serve(join(other, "other.sock"));
    linkSync(join(workspace, "host.sock"), join(workspace, "hard"));
    symlinkSync("host.sock", join(workspace, "soft"));
    chmodSync(join(workspace, "sub/closed"), 0o311);
    const output = await connect(
      workspace,
      ["host.sock", "hard", "soft", "sub/deep.sock", "sub/closed/x.sock", `${other}/other.sock`],
      { readable: [other] },
    );
    chmodSync(join(workspace, "sub/closed"), 0o755);
    expect(output).not.toContain("CONNECTED");
    expect(output.trim().split("\n")).toHaveLength(6);
    const moved = await tested.run(
      workspace,
      `mv host.sock m; rm -f hard; mv sub moved; ${process.execPath} -e 'require("net").connect("moved/deep.sock").on("error", (e) => console.log(e.code)).on("connect", () => console.log("CONNECTED"))'`,
    );
    expect(moved.output).not.toContain("CONNECTED");
    expect(existsSync(join(workspace, "host.sock"))).toBe(true);
  });

  it("of the command's own works, and does no harm afterwards", async () => {
    const workspace = tested.makeWorkspace();
    const script = `const net = require("net");
      const server = net.createServer((s) => s.end("served")).listen("own.sock", () =>
        net.connect("own.sock").on("data", (d) => { console.log(String(d)); process.exit(); }));`;
    for (let count = 0; count < 2; count++) {
      const { output, notes } = await tested.run(workspace, "", {
        argv: [process.execPath, "-e", script.replaceAll("own", `own${count}`)],
      });
      expect({ output, notes }).toEqual({ output: "served\n", notes: [] });
    }
  });

  it("of a job can be used by what shares its network, but a host's in its place can't", async () => {
    const plan = tested.sandbox.planNetwork?.();
    if (plan === undefined) throw new Error("Sandboxes can't share a network here.");
    const shared = await openNetwork(plan, tested.broker);
    onTestFinished(() => shared.close());
    const network = shared.process;
    const workspace = tested.makeWorkspace({ "run/": "" });
    await serve(join(workspace, "host.sock"));
    const script = `const fs = require("fs"); const answer = (s) => s.end("served");
      require("net").createServer(answer).listen("run/job.sock", () => fs.writeFileSync("ready", ""));
      setInterval(() => fs.existsSync("stop") && process.exit(), 5);`;
    const serving = tested.run(workspace, "", {
      argv: [process.execPath, "-e", script],
      network,
    });
    while (!existsSync(join(workspace, "ready"))) await wait(5);
    const paths = ["run/job.sock", "host.sock"];
    const output = await connect(workspace, paths, { network });
    expect(output).toContain("run/job.sock served");
    expect(output).not.toContain("host.sock CONNECTED");
    expect(await connect(workspace, paths)).not.toContain("CONNECTED");
    // The name that the job's socket was bound to is the host's now.
    mkdirSync(join(workspace, "old"));
    renameSync(join(workspace, "run/job.sock"), join(workspace, "old/job.sock"));
    renameSync(join(workspace, "host.sock"), join(workspace, "run/job.sock"));
    const swapped = await connect(workspace, ["run/job.sock", "old/job.sock"], { network });
    expect(swapped).toContain("old/job.sock served");
    expect(swapped).not.toContain("run/job.sock CONNECTED");
    await tested.run(workspace, "touch stop");
    await serving;
  });

  it("is one of so many that no command can run", async () => {
    const workspace = tested.makeWorkspace();
    await serve(join(workspace, "host.sock"));
    for (let index = 0; index < 1_001; index++) {
      linkSync(join(workspace, "host.sock"), join(workspace, `${index}.sock`));
    }
    await expect(tested.run(workspace, "true")).rejects.toMatchObject({
      code: "too-large",
      message: expect.stringContaining("are sockets"),
    });
  });
});

async function serve(path: string): Promise<void> {
  const server = createServer((socket) => socket.end("host")).listen(path);
  // Under another owner it could not be connected to anyway.
  onTestFinished(() => void server.close());
  await once(server, "listening");
  chmodSync(path, 0o777);
}

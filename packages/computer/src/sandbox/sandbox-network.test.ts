import { once } from "node:events";
import { existsSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { openNetwork } from "../shell/confine-run.ts";
import { openTestSandbox, type TestSandbox } from "../test-support/open-test-sandbox.ts";

describe.skipIf(isMissing("bwrap"))("a network that sandboxes share", () => {
  let tested: TestSandbox;
  beforeAll(async () => {
    tested = await openTestSandbox();
  });
  afterAll(() => tested?.close());

  const holdNetwork = async (): Promise<number> => {
    const plan = tested.sandbox.planNetwork?.();
    if (plan === undefined) throw new Error("Sandboxes can't share a network here.");
    const network = await openNetwork(plan, tested.broker);
    onTestFinished(() => network.close());
    return network.process;
  };

  it("leads from one to the other, and nowhere else", async () => {
    const network = await holdNetwork();
    const outside = createServer(() => expect.unreachable()).listen(0, "127.0.0.1");
    onTestFinished(() => void outside.close());
    await once(outside, "listening");
    const { port } = outside.address() as AddressInfo;
    const workspace = tested.makeWorkspace({
      "serve.js":
        'require("net").createServer((s) => s.end("served\\n")).listen(8123, "127.0.0.1", () => require("fs").writeFileSync("ready", ""))',
    });
    const serving = tested.run(
      workspace,
      `${process.execPath} serve.js & while ! [ -e stop ]; do sleep 0.01; done`,
      { network },
    );
    while (!existsSync(join(workspace, "ready"))) await wait(5);
    const { output, exitCode } = await tested.run(
      workspace,
      `cat </dev/tcp/127.0.0.1/8123
      exec 3<>/dev/tcp/127.0.0.1/${port} && echo ESCAPED
      exec 3<>/dev/tcp/1.1.1.1/80 && echo ESCAPED
      wc -l </proc/net/route; ls -d /proc/[0-9]* | wc -l; unshare -n true || touch stop`,
      { network },
    );
    expect(output).toMatch(/^served\n/u);
    expect(output).toMatch(/\n1\n\d\n/u);
    expect(output).not.toContain("ESCAPED");
    expect(exitCode).toBe(0);
    await serving;
    const alone = await tested.run(workspace, "cat </dev/tcp/127.0.0.1/8123");
    expect(alone.exitCode).not.toBe(0);
  });

  it("is not replaced by this machine's own if it is gone", async () => {
    const { output, exitCode } = await tested.run(tested.makeWorkspace(), "echo ran", {
      network: 2 ** 22 + 1,
    });
    expect({ isRun: output.includes("ran"), isFine: exitCode === 0 }).toEqual({
      isRun: false,
      isFine: false,
    });
    const own = await tested.run(tested.makeWorkspace(), "echo ran", { network: process.pid });
    expect(own.output).not.toContain("ran");
  });
});

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { parseAllowedHost } from "../net/allowed-host.ts";
import { openTestEgress } from "../test-support/open-test-egress.ts";
import { openTestSandbox, type TestSandbox } from "../test-support/open-test-sandbox.ts";

describe.skipIf(isMissing("bwrap"))("egress from a sandbox", () => {
  let tested: TestSandbox;
  beforeAll(async () => {
    tested = await openTestSandbox();
  });
  afterAll(() => tested?.close());

  it("leads only to hosts that the run's own proxy allows", async () => {
    const port = await serve("127.0.0.2");
    const egress = await openTestEgress({ allow: [`127.0.0.2:${port}`], hosts: ["127.0.0.2"] });
    const workspace = tested.makeWorkspace({
      "get.mjs": `for (const host of ["127.0.0.2", "127.0.0.3"]) {
        const answer = await fetch("http://" + host + ":${port}/").catch((error) => error);
        console.log(answer.status ?? "no", answer.status === 200 ? await answer.text() : "");
      }`,
    });
    const { output, left, exitCode } = await tested.run(
      workspace,
      `${process.execPath} get.mjs; exec 3<>/dev/tcp/127.0.0.2/${port} && echo ESCAPED; true`,
      { egressSocket: egress.socketPath },
    );
    expect(output).toMatch(/^200 served\n(?:403|no) \n/u);
    expect(output).not.toContain("ESCAPED");
    expect({ left, exitCode }).toEqual({ left: [], exitCode: 0 });
    expect(egress.refused()).toEqual(["127.0.0.3"]);
  });

  it("leads to a service of this machine that a person granted", async () => {
    const port = await serve("127.0.0.1");
    const allow = `127.0.0.1:${port}`;
    const egress = await openTestEgress({ allow: [allow], hosts: ["127.0.0.1"] });
    const { output } = await tested.run(
      tested.makeWorkspace(),
      `${process.execPath} -e 'fetch("http://${allow}/").then((a) => a.text()).then(console.log)'; sleep 900 &`,
      { egressSocket: egress.socketPath, allowedHosts: [parseAllowedHost(allow)] },
    );
    expect(output).toBe("served\n");
  });

  it("is reported if it can't be opened", async () => {
    const { exitCode, output } = await tested.run(tested.makeWorkspace(), "echo ran", {
      egressSocket: "/no/such/socket",
    });
    expect(exitCode).not.toBe(0);
    expect(output).not.toContain("ran");
  });
});

async function serve(host: string): Promise<number> {
  const server = createServer((_, response) => void response.end("served")).listen(0, host);
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

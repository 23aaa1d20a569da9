import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createBroker } from "../broker/broker.ts";
import { CollectText } from "../test-support/collect-text.ts";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";
import { type Confinement, type Confiner, findConfiner, type SandboxMode } from "./confine-run.ts";
import type { FoundSandbox } from "./find-sandbox.ts";

const reason = "bubblewrap is not installed";
const remedy = "Install it: `apt-get install bubblewrap`.";

describe("findConfiner", () => {
  it("refuses to go without a sandbox that is required, and says how to get one", async () => {
    await expect(find("required")).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(
        /bubblewrap is not installed\. Install it: .* --sandbox=off\.$/u,
      ),
    });
  });

  it("goes without one where that is allowed, and says so where one was wanted", async () => {
    const wanted = await find("auto");
    expect([wanted.isolation, wanted.warning]).toEqual([
      "none",
      `No sandbox: ${reason}. ${remedy}`,
    ]);
    const unwanted = await find("off");
    expect([unwanted.isolation, unwanted.warning]).toEqual(["none", undefined]);
  });

  it("leads a program without a sandbox to its hosts through a proxy, if it uses one", async () => {
    const server = createServer((_, response) => response.end("here")).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const allowed = { host: "127.0.0.1", port };
    const confiner = await findConfiner({ ...confine("off"), allowedHosts: [allowed] });
    const script = `
      const { get } = require("node:http");
      for (const host of ["127.0.0.1", "example.com"]) {
        get({ host, port: ${port} }, (response) => {
          response.setEncoding("utf8").on("data", (text) => console.log(response.statusCode, text));
        });
      }`;
    const ready = await confiner.prepare({
      run: { argv: [process.execPath, "-e", script] },
      cwd: "/",
      environment: {},
      readable: [],
      writable: [],
      hosts: ["127.0.0.1"],
      usesProxy: true,
    });
    const output = new CollectText();
    const launched = await confiner.broker.launch(ready.plan, { output: output.take });
    await launched.ended;
    expect(output.text).toMatch(/^200 here$/mu);
    expect(output.text).toMatch(/^403/mu);
    expect(ready.refusedHosts()).toEqual([expect.stringContaining("example.com")]);
    await ready.close();
    confiner.broker.close();
  });
});

function find(mode: SandboxMode): Promise<Confiner> {
  const found: FoundSandbox = {
    finding: { sandbox: undefined, reason, remedy },
    broker: createBroker({ prefix: [] }),
  };
  return findConfiner(confine(mode), async () => found);
}

function confine(mode: SandboxMode): Confinement {
  const directory = makeTemporaryDirectory();
  const place = {
    roots: [directory],
    home: undefined,
    stateDirectory: directory,
    searchPath: process.env.PATH,
  };
  return { mode, place, allowedHosts: [] };
}

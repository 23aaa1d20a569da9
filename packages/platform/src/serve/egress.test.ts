import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expectStatus, type WireResult } from "./test-support/create-outsider.ts";
import { openPlatform, type TestPlatform } from "./test-support/open-platform.ts";
import { nodeProbe, pythonProbe } from "./test-support/probe-tools.ts";

/** A server on this machine that counts who reached it. */
interface Neighbour {
  readonly host: string;
  readonly url: string;
  reached(): number;
  close(): void;
}

async function openNeighbour(): Promise<Neighbour> {
  let reached = 0;
  const server = createServer((_request, response) => {
    reached += 1;
    response.end("welcome");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { host, url: `http://${host}/`, reached: () => reached, close };
}

describe("what a published tool reaches", { timeout: 60_000 }, () => {
  let platform: TestPlatform;
  let declared: Neighbour;
  let simulated: Neighbour;
  let other: Neighbour;
  const tools: Record<string, string> = {};
  beforeAll(async () => {
    [declared, simulated, other] = await Promise.all([
      ...[openNeighbour(), openNeighbour(), openNeighbour()],
    ] as const);
    platform = await openPlatform();
    const hosts = {
      allowedHosts: [declared.host, simulated.host],
      simulationHosts: [simulated.host],
    };
    await platform.push({
      ...nodeProbe("node_open", hosts),
      ...pythonProbe("python_open", hosts),
      ...nodeProbe("node_closed"),
      ...pythonProbe("python_closed"),
    });
    const names = ["node_open", "python_open", "node_closed", "python_closed"];
    for (const name of names) tools[name] = await platform.createTool(name);
    await Promise.all(names.map((name) => platform.publish(tools[name] ?? "", name)));
  }, 60_000);
  afterAll(async () => {
    await platform?.close();
    for (const neighbour of [declared, simulated, other]) neighbour?.close();
  });

  const get = async (name: string, url: string, simulates = false): Promise<WireResult> => {
    const invocation_mode = simulates ? "conversation-simulation" : "regular";
    const input = { input_parameters: { do: "fetch", url }, invocation_mode };
    const answer = await platform.invoke({ id: tools[name] ?? "" }, [input]);
    return expectStatus(answer, 200).invocation_results[0] as WireResult;
  };

  describe.each(["node", "python"])("in %s", (runtime) => {
    const [open, closed] = [`${runtime}_open`, `${runtime}_closed`];

    it("is what it declares", async () => {
      expect(await get(open, declared.url)).toMatchObject({ output: "200 welcome" });
      expect(await get(open, simulated.url)).toMatchObject({ output: "200 welcome" });
    });

    it("is in a simulation only what it declares for that", async () => {
      const before = declared.reached();
      expect(await get(open, declared.url, true)).toMatchObject({ succeeded: false });
      expect(declared.reached()).toBe(before);
      expect(await get(open, simulated.url, true)).toMatchObject({ output: "200 welcome" });
    });

    it("is neither another port of this machine nor the platform itself", async () => {
      const port = other.host.split(":")[1];
      for (const simulates of [false, true]) {
        for (const url of [
          other.url,
          `http://localhost:${port}/`,
          `http://[::ffff:127.0.0.1]:${port}/`,
          `${platform.url}/healthz`,
        ]) {
          expect({ url, ...(await get(open, url, simulates)) }).toMatchObject({
            url,
            succeeded: false,
          });
        }
      }
      expect(other.reached()).toBe(0);
    });

    it("is nothing where it declares nothing, this machine included", async () => {
      const before = [declared, simulated, other].map(({ reached }) => reached());
      for (const url of [declared.url, simulated.url, other.url, `${platform.url}/healthz`]) {
        expect(await get(closed, url)).toMatchObject({ succeeded: false });
      }
      expect([declared, simulated, other].map(({ reached }) => reached())).toEqual(before);
    });
  });
});

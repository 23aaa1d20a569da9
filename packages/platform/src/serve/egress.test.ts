import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expectStatus } from "./test-support/create-outsider.ts";
import { openPlatform, type TestPlatform } from "./test-support/open-platform.ts";
import { nodeProbe, pythonProbe } from "./test-support/probe-tools.ts";

const simulation = "conversation-simulation";

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
    });
    const names = ["node_open", "python_open", "node_closed"];
    for (const name of names) tools[name] = await platform.createTool(name);
    await Promise.all(names.map((name) => platform.publish(tools[name] ?? "", name)));
  }, 60_000);
  afterAll(async () => {
    await platform?.close();
    for (const neighbour of [declared, simulated, other]) neighbour?.close();
  });

  const count = (): number[] => [declared, simulated, other].map(({ reached }) => reached());
  /** Has a tool get several addresses at once; says of each how that ended. */
  const get = async (name: string, urls: readonly string[], mode: string): Promise<string[]> => {
    const inputs = urls.map((url) => ({
      input_parameters: { do: "fetch", url },
      invocation_mode: mode,
    }));
    const { invocation_results } = expectStatus(
      await platform.invoke({ id: tools[name] ?? "" }, inputs),
      200,
    );
    return invocation_results.map(({ succeeded, output = "" }) => (succeeded ? output : "failed"));
  };

  describe.each(["node", "python"])("in %s", (runtime) => {
    const open = `${runtime}_open`;

    it("is what it declares", async () => {
      const urls = [declared.url, simulated.url];
      expect(await get(open, urls, "regular")).toEqual(["200 welcome", "200 welcome"]);
    });

    it("is in a simulation only what it declares for that", async () => {
      const [before] = count();
      const urls = [declared.url, simulated.url];
      expect(await get(open, urls, simulation)).toEqual(["failed", "200 welcome"]);
      expect(count()[0]).toBe(before);
    });

    it.each(["regular", simulation])(
      "is neither another port of this machine nor the platform itself: %s",
      async (mode) => {
        const before = count();
        const port = other.host.split(":")[1];
        const hosts = ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0"];
        const urls = hosts.map((host) => `http://${host}:${port}/`);
        urls.push(`${platform.url}/healthz`);
        expect(await get(open, urls, mode)).toEqual(urls.map(() => "failed"));
        expect(count()).toEqual(before);
      },
    );
  });

  it("is nothing where it declares nothing, this machine included", async () => {
    const before = count();
    const urls = [declared.url, simulated.url, other.url, `${platform.url}/healthz`];
    expect(await get("node_closed", urls, "regular")).toEqual(urls.map(() => "failed"));
    expect(count()).toEqual(before);
  });
});

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expectStatus } from "./test-support/create-outsider.ts";
import { openPlatform, type TestPlatform } from "./test-support/open-platform.ts";
import { nodeProject, type ProjectFiles } from "./test-support/tool-projects.ts";

describe("a candidate on a platform", { timeout: 60_000 }, () => {
  const hits: Record<"real" | "simulated", number> = { real: 0, simulated: 0 };
  const servers: Server[] = [];
  let platform: TestPlatform;
  let hosts: Record<"real" | "simulated", string>;
  const listen = async (name: "real" | "simulated"): Promise<string> => {
    const server = createServer((_request, response) => {
      hits[name] += 1;
      response.end("ok");
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  beforeAll(async () => {
    hosts = { real: await listen("real"), simulated: await listen("simulated") };
    platform = await openPlatform();
  }, 60_000);
  afterAll(async () => {
    await platform?.close();
    for (const server of servers) server.close();
  });

  const project = (changed: string): ProjectFiles =>
    nodeProject(
      "sums",
      { allowedHosts: [hosts.real], simulationHosts: [hosts.simulated] },
      `export const runTool = async ({ toolInput: { n } }) => {
        for (const host of ${JSON.stringify([hosts.real, hosts.simulated])}) {
          await fetch("http://" + host).then((answer) => answer.text(), () => undefined);
        }
        return { sum: ${changed} };
      };\n`,
    );

  it("is compared with history in simulation, and stopped by a case", async () => {
    const id = await platform.createTool("sums");
    await platform.push(project("n * 2"));
    expect(await platform.publish(id, "sums")).toBe("1.0.0");
    for (let start = 0; start < 40; start += 10) {
      const inputs = Array.from({ length: 10 }, (_, at) => ({
        input_parameters: { n: start + at },
      }));
      expectStatus(await platform.invoke({ id }, inputs), 200);
    }
    expect(hits).toEqual({ real: 40, simulated: 0 });

    await platform.push(project("n === 7 ? -1 : n * 2"));
    const order = { project_path: "sums", bump_type: "minor" };
    const candidate = { body: { ...order, candidate: true } };
    const published = await platform.call("POST", `tool/${id}/version`, candidate);
    expect(published).toMatchObject({ status: 201, body: { new_version: "1.1.0" } });
    const shadow = await platform.call("POST", `tool/${id}/shadow`, {
      body: { candidate: "1.1.0", since: new Date(Date.now() - 3_600_000).toISOString() },
    });
    expect(shadow.body).toMatchObject({
      ...{ compared: 40, same: 39, different: 1, skipped: 0 },
      differences: [{ kind: "output", changes: [{ path: "sum", before: "14", after: "-1" }] }],
    });
    expect(hits).toEqual({ real: 40, simulated: 40 });

    const expected = JSON.stringify({ input: { n: 7 }, output: { sum: 14 } });
    await platform.push({ "sums/cases/seven.json": expected });
    const refused = await platform.call("POST", `tool/${id}/version`, { body: order });
    expect(refused).toMatchObject({
      status: 400,
      text: expect.stringContaining("expected 14 at sum, got -1"),
    });
    await platform.push(project("n + n"));
    expect(await platform.publish(id, "sums", "minor")).toBe("1.2.0");
    expect(hits.real).toBe(40);
  });
});

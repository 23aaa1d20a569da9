import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ToolProgram, ToolRun } from "./runner.ts";
import {
  nodeTool,
  openTestRunner,
  pythonTool,
  type TestRunner,
} from "./test-support/open-runner.ts";

const nodeFetch = `
  const { url, by } = tool.toolInput;
  if (by === "fetch") return (await fetch(url)).text();
  const http = await import(url.split(":")[0] === "https" ? "node:https" : "node:http");
  return new Promise((resolve, reject) => {
    http.get(url, (response) => resolve("answered " + response.statusCode)).on("error", reject);
  });`;

const pythonFetch = `
import urllib.request
return urllib.request.urlopen(tool_input["url"], timeout=5).read().decode()`;

describe.each([
  { toTool: nodeTool, code: nodeFetch, ways: ["fetch", "http"] },
  { toTool: pythonTool, code: pythonFetch, ways: ["urllib"] },
])("a tool that uses $ways", ({ toTool, code, ways }) => {
  let runner: TestRunner;
  beforeAll(() => {
    runner = openTestRunner({ blankWorkers: 0 });
  });
  afterAll(() => runner.close(0));

  const failWith = async (
    over: Partial<ToolProgram>,
    input: ToolRun["input"],
    mode: ToolRun["mode"] = "regular",
  ): Promise<string> => {
    const result = await runner.call(toTool(code, { version: "1.2.0", ...over }), { input, mode });
    return result.succeeded ? `succeeded: ${result.output}` : result.exceptionMessage;
  };

  it("is told which list lacks a host, and what to do", async () => {
    const hosts = { allowedHosts: ["api.example.org:443"], simulationHosts: ["mock.example.org"] };
    const url = "https://other.example.org/";
    const [simulated, port, ...regular] = await Promise.all([
      failWith(hosts, { by: ways[0] ?? "", url }, "conversation-simulation"),
      failWith(hosts, { by: ways[0] ?? "", url: "https://api.example.org:8443/" }),
      ...ways.map((by) => failWith(hosts, { by, url })),
      ...ways.map((by) => failWith(hosts, { by, url: "http://other.example.org/" })),
    ]);
    for (const message of regular) {
      expect(message).toContain("other.example.org is not in allowedHosts of greeter 1.2.0. To ");
      expect(message).toContain("add it to allowedHosts in tool.json and publish.");
    }
    expect(simulated).toContain("other.example.org is not in simulationHosts of greeter 1.2.0. To");
    expect(port).toContain("api.example.org:8443 is not in allowedHosts of greeter 1.2.0.");
  });

  it("is told the same if it has no hosts at all", async () => {
    const calls = ways.map((by) => failWith({}, { by, url: "https://other.example.org/" }));
    for (const message of await Promise.all(calls)) {
      expect(message).toContain("other.example.org is not in allowedHosts of greeter 1.2.0. To ");
    }
  });

  it("is told the host and the cause of a failed connection", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    const hosts = { allowedHosts: [`127.0.0.1:${port}`, "missing.invalid"] };
    const calls = ways.map(async (by) => {
      expect(await failWith(hosts, { by, url: `https://127.0.0.1:${port}/` })).toContain(
        `127.0.0.1:${port} can't be reached: nothing accepts connections there.`,
      );
      expect(await failWith(hosts, { by, url: "http://missing.invalid/" })).toContain(
        "missing.invalid:80 can't be reached: the name ",
      );
    });
    await Promise.all(calls);
  });
});

import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { nodeTool, openTestRunner, outputOf } from "./test-support/open-runner.ts";

async function serve(listener: RequestListener): Promise<{ host: string; seen: string[] }> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? "");
    listener(request, response);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => server.once("listening", resolve));
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const simulation = { mode: "conversation-simulation" } as const;

function open() {
  const runner = openTestRunner({ blankWorkers: 0, maxWorkers: 8 });
  onTestFinished(() => runner.close(0));
  return runner;
}

/** Remembers all it is told, in every place that outlives a call, and fetches what it is asked to. */
const script = `
  import { existsSync, readFileSync, writeFileSync } from "node:fs";
  const kept = [];
  export async function runTool({ toolInput, metadata, config, userVariables }) {
    const { urls = [], keep, later } = toolInput;
    const seen = JSON.stringify([kept, globalThis.kept, process.env.KEPT,
      existsSync("/tmp/kept") ? readFileSync("/tmp/kept", "utf8") : null]);
    if (keep) {
      const all = JSON.stringify([config, userVariables, keep]);
      kept.push(all);
      globalThis.kept = process.env.KEPT = all;
      writeFileSync("/tmp/kept", all);
    }
    const get = (url) => fetch(url).then((reply) => reply.text(), () => "none");
    if (later) setInterval(() => void get(later), 20);
    const answers = [];
    for (const url of urls) answers.push(await get(url));
    return { answers, seen, mode: metadata.invocationMode };
  }`;

interface Output {
  readonly answers: string[];
  readonly seen: string;
  readonly mode: string;
}

describe("a simulation", () => {
  it("reaches its own hosts only, also by redirect, beside a warm sandbox that reaches others", async () => {
    const real = await serve((_, response) => response.end("real"));
    const mock = await serve((request, response) => {
      if (request.url === "/away")
        response.writeHead(302, { location: `http://${real.host}/moved` });
      response.end("mock");
    });
    const runner = open();
    const tool = nodeTool(script, { allowedHosts: [real.host], simulationHosts: [mock.host] });
    const call = async (input: object, over: object = {}): Promise<Output> =>
      JSON.parse(outputOf(await runner.call(tool, { input: { ...input }, ...over }))) as Output;
    const [port] = real.host.split(":").slice(1);
    const spellings = [
      real.host,
      `localhost:${port}`,
      `127.1:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
    ];
    const urls = [...spellings.map((host) => `http://${host}/`), `http://${mock.host}/away`];
    expect((await call({ urls: [urls[0]] })).answers).toEqual(["real"]);
    real.seen.length = 0;
    const [simulated, regular] = await Promise.all([
      call({ urls: [...urls, `http://${mock.host}/`] }, simulation),
      call({ urls: [`http://${mock.host}/`] }),
    ]);
    expect(simulated.mode).toBe("conversation-simulation");
    expect(simulated.answers.at(-1)).toBe("mock");
    expect(simulated.answers.slice(0, -1)).not.toContain("real");
    expect(regular).toMatchObject({ answers: ["none"], mode: "regular" });
    expect(real.seen).toEqual([]);
  });

  it("can't leave work behind that runs for real, nor be told that it is real", async () => {
    const real = await serve((_, response) => response.end("real"));
    const runner = open();
    const tool = nodeTool(script, { allowedHosts: [real.host] });
    const later = `http://${real.host}/later`;
    const input = { later, invocationMode: "regular", invocation_mode: "regular", mode: "regular" };
    for (let round = 0; round < 2; round++) {
      const { mode } = JSON.parse(outputOf(await runner.call(tool, { input, ...simulation })));
      expect(mode).toBe("conversation-simulation");
    }
    const wait = { input: { urls: [`http://${real.host}/now`] } };
    await runner.call(tool, wait);
    await runner.call(tool, { ...wait, ...simulation });
    expect([...new Set(real.seen)]).toEqual(["/now"]);
  });

  it("sees nothing that a real call was given, nor the other way round", async () => {
    const runner = open();
    const tool = nodeTool(script);
    const call = async (over: object): Promise<string> =>
      outputOf(await runner.call(tool, { input: { keep: "input-value" }, ...over }));
    const given = { config: { KEY: "config-value" }, userVariables: { who: "variable-value" } };
    const values = /input-value|config-value|variable-value/u;
    await Promise.all([call(given), call(given)]);
    expect(await call(simulation)).not.toMatch(values);
    expect(await call({ ...simulation, ...given })).not.toMatch(/config-value|variable-value/u);
    const other = { ...tool, version: "1.0.1" };
    await runner.call(other, { input: { keep: "input-value" }, ...simulation, ...given });
    const real = await runner.call(other, { input: {} });
    expect(outputOf(real)).not.toMatch(values);
  });
});

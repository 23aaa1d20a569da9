import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  nodeTool,
  openTestRunner,
  outputOf,
  pythonTool,
  type TestRunner,
} from "./test-support/open-runner.ts";

// Leaves a value in every place that JavaScript has, and reports where it found one.
const hoarder = `
  import { AsyncLocalStorage } from "node:async_hooks";
  import crypto from "node:crypto";
  import { EventEmitter } from "node:events";
  import fs from "node:fs";
  import http from "node:http";
  const kept = [];
  const context = new AsyncLocalStorage();
  const { existsSync, mkdirSync, writeFileSync } = fs;
  const places = {
    module: { get: () => kept[0], set: (it) => kept.push(it) },
    global: { get: () => globalThis.left, set: (it) => { globalThis.left = it; } },
    "replaced global": { get: () => fetch.left, set: (it) => { globalThis.fetch = { left: it }; } },
    "replaced getter": { get: () => navigator.left, set: (it) =>
      Object.defineProperty(globalThis, "navigator", { value: { left: it } , configurable: true }) },
    "replaced hidden getter": { get: () => /a/.flags === "left" ? "left" : undefined, set: () =>
      Object.defineProperty(RegExp.prototype, "flags", { get: () => "left", configurable: true }) },
    "getter of the old kind": { get: () => new ArrayBuffer(1).maxByteLength === 7 ? "left" : undefined, set: () =>
      ArrayBuffer.prototype.__defineGetter__("maxByteLength", () => 7) },
    "deleted getter": { get: () => Object.hasOwn(Buffer, Symbol.species) ? undefined : "left", set: () => {
      delete Buffer[Symbol.species]; } },
    "object prototype": { get: () => ({}).left, set: (it) => { Object.prototype.left = it; } },
    "array prototype": { get: () => [].map.left, set: (it) => {
      const { map } = Array.prototype;
      Array.prototype.map = Object.assign(function (...args) { return map.apply(this, args); }, { left: it }); } },
    "array iterator": { get: () => [][Symbol.iterator].left, set: (it) => {
      const old = Array.prototype[Symbol.iterator];
      Array.prototype[Symbol.iterator] = Object.assign(function () { return old.call(this); }, { left: it }); } },
    "built-in function": { get: () => Math.max.left, set: (it) => Reflect.set(Math.max, "left", it) },
    "name of a function": { get: () => [].map.name === "map" ? undefined : "left", set: (it) =>
      Reflect.defineProperty([].map, "name", { value: it }) },
    "prototype of a function": { get: () => setImmediate.prototype?.left, set: (it) =>
      Reflect.set(Object(setImmediate.prototype), "left", it) },
    "json": { get: () => JSON.left, set: (it) => { JSON.left = it; } },
    "class of node": { get: () => Buffer.prototype.left, set: (it) => { Buffer.prototype.left = it; } },
    "module of node": { get: () => fs.left, set: (it) => { fs.left = it; } },
    "function of node": { get: () => fs.readFile.left, set: (it) => {
      fs.readFile = Object.assign(() => {}, { left: it }); } },
    "promises of node": { get: () => fs.promises.left, set: (it) => { fs.promises.left = it; } },
    "emitter": { get: () => new EventEmitter().on.left, set: (it) => {
      const { on } = EventEmitter.prototype;
      EventEmitter.prototype.on = Object.assign(function (...args) { return on.apply(this, args); }, { left: it }); } },
    "web crypto": { get: () => crypto.webcrypto.left, set: (it) => { crypto.webcrypto.left = it; } },
    "agent": { get: () => http.globalAgent.options.left, set: (it) => { http.globalAgent.options.left = it; } },
    "required module": { get: () => process.getBuiltinModule("path").left, set: (it) => {
      process.getBuiltinModule("path").left = it; } },
    "environment": { get: () => process.env.LEFT, set: (it) => { process.env.LEFT = it; } },
    "variable": { get: () => process.env.HOME.includes("left") || undefined, set: () => { process.env.HOME = "/left"; } },
    "process": { get: () => process.left, set: (it) => { process.left = it; } },
    "title": { get: () => Error.stackTraceLimit === 3 ? "left" : undefined, set: () => { Error.stackTraceLimit = 3; } },
    "listener": { get: () => process.listeners("left")[0], set: (it) => process.on("left", () => it) },
    "exception": { get: () => process.listeners("uncaughtException")[1], set: (it) => process.on("uncaughtException", () => it) },
    "directory": { get: () => process.cwd() === "/tmp" ? "left" : undefined, set: () => process.chdir("/tmp") },
    "file": { get: () => existsSync("/tmp/left") || undefined, set: (it) => writeFileSync("/tmp/left", it) },
    "folder": { get: () => existsSync("/dev/shm/left") || undefined, set: () => mkdirSync("/dev/shm/left") },
    "output": { get: () => process.stdout.write.left, set: (it) => {
      process.stdout.write = Object.assign(() => true, { left: it }); } },
    "console": { get: () => console.log.left, set: (it) => { console.log = Object.assign(() => {}, { left: it }); } },
    "counter": { get: () => console[Object.getOwnPropertySymbols(console).find((each) => String(each).includes("counts"))]?.get("left"),
      set: () => console.count("left") },
    "mark": { get: () => performance.getEntriesByName("left")[0]?.name, set: () => performance.mark("left") },
    "match": { get: () => RegExp.$1 || undefined, set: () => /(.*)/.exec("left") },
    "context": { get: () => context.getStore(), set: (it) => context.enterWith(it) },
    "timer": { get: () => undefined, set: () => void setInterval(() => { globalThis.left = "here"; }, 1) },
  };
  export async function runTool({ toolInput: { value } }) {
    const found = Object.keys(places).filter((name) => places[name].get() !== undefined);
    for (const name of Object.keys(places)) if (value) places[name].set(value);
    return { found, process: performance.timeOrigin };
  }`;

const hoarderInPython = `
import builtins, json, os, sys, threading
kept = []
places = {
    "module": (lambda: kept, kept.append),
    "builtins": (lambda: getattr(builtins, "left", None), lambda it: setattr(builtins, "left", it)),
    "package": (lambda: getattr(json, "left", None), lambda it: setattr(json, "left", it)),
    "environment": (lambda: os.environ.get("LEFT"), lambda it: os.environ.update(LEFT=it)),
    "path": (lambda: "/left" in sys.path, lambda it: sys.path.append("/left")),
    "directory": (lambda: os.getcwd() == "/tmp", lambda it: os.chdir("/tmp")),
    "file": (lambda: os.path.exists("/tmp/left"), lambda it: open("/tmp/left", "w").write(it)),
    "thread": (lambda: threading.active_count() > 1,
        lambda it: threading.Thread(target=threading.Event().wait).start()),
}
def run_tool(tool_input, metadata, config, conversation, send_status_event, user_variables):
    found = [name for name, (look, _) in places.items() if look()]
    for _, keep in places.values():
        keep(tool_input["value"])
    return found
`;

const reused = { reuse: "process" } as const;

describe("an invocation", () => {
  let runner: TestRunner;
  beforeAll(() => {
    runner = openTestRunner({ blankWorkers: 0 });
  });
  afterAll(() => runner.close(0));

  // 004:25: "tool state is versioned and not persisted between runs".
  it("finds nothing that the one before it left, in the same process", async () => {
    const tool = nodeTool(hoarder);
    const processes = new Set<number>();
    for (let round = 0; round < 3; round++) {
      const result = await runner.call(tool, { input: { value: "a user's secret" } });
      const { found, process } = JSON.parse(outputOf(result));
      expect(found).toEqual([]);
      processes.add(process);
    }
    expect(processes.size).toBe(1);
  });

  it("with hosts keeps its process too", async () => {
    const server = createServer((_, response) => response.end("served")).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const tool = nodeTool(
      `const found = Headers.prototype.get.left ?? "";
      Headers.prototype.get = Object.assign(() => null, { left: "left" });
      const answer = await fetch(tool.toolInput.url);
      const text = await answer.text();
      // Refused: its connection is being closed when the tool ends.
      await fetch("http://refused.test/").catch(() => {});
      return [text, found, performance.timeOrigin];`,
      { allowedHosts: [host] },
    );
    const call = async (): Promise<unknown[]> =>
      JSON.parse(outputOf(await runner.call(tool, { input: { url: `http://${host}/` } })));
    const [, , first] = await call();
    for (let round = 0; round < 2; round++) expect(await call()).toEqual(["served", "", first]);
  });

  it("in Python finds nothing either", async () => {
    const tool = pythonTool(hoarderInPython);
    for (let round = 0; round < 3; round++) {
      const result = await runner.call(tool, { input: { value: "a user's secret" } });
      expect(outputOf(result)).toBe("[]");
    }
  });

  it("in Python gets a process whose memory and descriptors have nothing of those before", async () => {
    const own = openTestRunner({ blankWorkers: 0 });
    onTestFinished(() => own.close(0));
    const tool = pythonTool(`
import os, re
def run_tool(tool_input, metadata, config, conversation, send_status_event, user_variables):
    secrets = set()
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for line in maps:
            start, end = (int(each, 16) for each in line.split()[0].split("-"))
            if " rw" in line:
                memory.seek(start)
                secrets.update(re.findall(rb"secret-([0-9])", memory.read(end - start)))
    opened = os.open("/tmp/opened", os.O_CREAT | os.O_RDWR)
    processes = [name for name in os.listdir("/proc") if name.isdigit()]
    return [b"".join(secrets).decode(), config.get("NAME"), opened, len(processes), os.read(0, 1).decode()]
`);
    const call = async (number: number, config: Record<string, string>): Promise<unknown> => {
      const input = { secret: `secret-${number}`, long: "x".repeat(200_000) };
      return JSON.parse(outputOf(await own.call(tool, { input, config })));
    };
    // Besides its own process there are the worker and the one that holds the sandbox.
    expect(await call(1, { NAME: "one" })).toEqual(["1", "one", 4, 3, ""]);
    expect(await call(2, { NAME: "two" })).toEqual(["2", "two", 4, 3, ""]);
    expect(await call(3, {})).toEqual(["3", null, 4, 3, ""]);
    expect(own.stats().workers).toBe(1);
  });

  it.each([
    ["JavaScript", nodeTool("let calls = 0; export const runTool = () => ++calls;", reused)],
    [
      "Python",
      pythonTool(
        "calls = []\ndef run_tool(*_):\n    calls.append(1)\n    return len(calls)",
        reused,
      ),
    ],
  ])("in %s keeps its modules' state if tool.json says so", async (_, tool) => {
    const seen = [await runner.call(tool), await runner.call(tool)].map(outputOf);
    expect(seen).toEqual(["1", "2"]);
  });
});

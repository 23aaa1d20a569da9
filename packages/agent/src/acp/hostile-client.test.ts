import { describe, expect, it, onTestFinished } from "vitest";
import { type ModelScript, say, startModelServer } from "../test-support/model-server/index.ts";
import type { AcpBackend } from "./acp-backend.ts";
import { serveAcp } from "./serve-acp.ts";
import { createDiskBackend } from "./test-support/disk-backend.ts";
import { makeDirectory } from "./test-support/drive.ts";

interface Answer {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

async function open(script: ModelScript = () => say("Yes.")) {
  const workspace = makeDirectory();
  const model = await startModelServer(script);
  onTestFinished(() => model.close());
  const disk = await createDiskBackend({
    state: makeDirectory(),
    modelUrl: model.baseUrl("openai-compatible"),
  });
  const closed: string[] = [];
  const backend: AcpBackend = {
    ...disk,
    open: async (wish) => {
      const session = await disk.open(wish);
      const close = async (): Promise<void> => {
        await session.close();
        closed.push(session.id);
      };
      return { ...session, close };
    },
  };
  const toAgent = new TransformStream<Uint8Array, Uint8Array>();
  const answers: Answer[] = [];
  let rest = "";
  const output = new WritableStream<Uint8Array>({
    write: (bytes) => {
      const lines = (rest + new TextDecoder().decode(bytes)).split("\n");
      rest = lines.pop() ?? "";
      answers.push(...lines.map((line) => JSON.parse(line) as Answer));
    },
  });
  const warn = (): void => {};
  const served = serveAcp(backend, { input: toAgent.readable, output }, { version: "1", warn });
  const writer = toAgent.writable.getWriter();
  const send = (message: unknown): Promise<void> => {
    const line = typeof message === "string" ? message : JSON.stringify(message);
    return writer.write(new TextEncoder().encode(`${line}\n`));
  };
  let count = 0;
  const ask = async (method: string, params: unknown): Promise<Answer> => {
    const id = `ask-${++count}`;
    await send({ jsonrpc: "2.0", id, method, params });
    const find = (): Answer | undefined => answers.find((answer) => answer.id === id);
    await expect.poll(find).toBeDefined();
    return find() as Answer;
  };
  const leave = async (): Promise<void> => {
    await writer.close().catch(() => {});
    await served;
  };
  onTestFinished(leave);
  const start = async (): Promise<string> => {
    await ask("initialize", { protocolVersion: 1 });
    const { result } = await ask("session/new", { cwd: workspace, mcpServers: [] });
    return result?.sessionId as string;
  };
  return { ask, send, answers, closed, leave, start, model, workspace };
}

describe("a client that does not keep to the protocol", () => {
  it("gets an error for each bad message, and is still served", async () => {
    const { ask, send, answers, start } = await open();
    await expect(ask("session/prompt", { sessionId: "a", prompt: [] })).resolves.toMatchObject({
      error: { code: -32600, message: expect.stringContaining("initialized") },
    });
    const sessionId = await start();
    await send("{ not json");
    await send('"text"');
    await send([{ jsonrpc: "2.0", id: 1, method: "initialize" }]);
    await send({ jsonrpc: "1.0", id: 1, method: 5 });
    await send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "nobody" } });
    await send({ jsonrpc: "2.0", method: "session/nothing" });
    await send("");
    const refused: readonly [string, unknown, number][] = [
      ["session/nothing", {}, -32601],
      ["session/new", {}, -32602],
      ["session/new", { cwd: 5, mcpServers: "all" }, -32602],
      ["session/new", null, -32602],
      ["session/load", { sessionId: "nobody", cwd: "/tmp", mcpServers: [] }, -32002],
      ["session/resume", { sessionId: "nobody", cwd: "/tmp" }, -32002],
      ["session/close", { sessionId: "nobody" }, -32002],
      ["session/set_mode", { sessionId: "nobody", modeId: "plan" }, -32002],
      ["session/prompt", { sessionId: "nobody", prompt: [] }, -32002],
      ["session/prompt", { sessionId, prompt: "Go." }, -32602],
      ["session/prompt", { sessionId, prompt: [] }, -32602],
      ["session/prompt", { sessionId, prompt: [{ type: "text", text: " " }] }, -32602],
      ["session/prompt", { sessionId, prompt: [{ type: "smell", smell: "sweet" }] }, -32602],
    ];
    for (const [method, params, code] of refused) {
      expect(await ask(method, params)).toMatchObject({ error: { code } });
    }
    const codes = answers.filter(({ id }) => id === null).map(({ error }) => error?.code);
    expect(codes).toEqual([-32700, -32600, -32600, -32600]);
    const prompt = [{ type: "text", text: "Go." }];
    expect(await ask("session/prompt", { sessionId, prompt })).toMatchObject({
      result: { stopReason: "end_turn" },
    });
  });

  it("gets an error that names the missing session", async () => {
    const { ask, start } = await open();
    await start();
    const { error } = await ask("session/load", { sessionId: "s-5", cwd: "/tmp", mcpServers: [] });
    expect(error?.message).toContain("s-5");
  });

  it("leaves nothing running if it disconnects during a turn", async () => {
    const { send, start, leave, closed, model } = await open(() => ({ hang: true }));
    const sessionId = await start();
    const prompt = [{ type: "text", text: "Go." }];
    await send({ jsonrpc: "2.0", id: 1, method: "session/prompt", params: { sessionId, prompt } });
    await expect.poll(() => model.requestCount).toBe(1);
    await leave();
    expect(closed).toEqual([sessionId]);
  });

  it("leaves no session open if it disconnects while one opens", async () => {
    const { ask, send, leave, closed, workspace } = await open();
    await ask("initialize", { protocolVersion: 1 });
    const params = { cwd: workspace, mcpServers: [] };
    await send({ jsonrpc: "2.0", id: 1, method: "session/new", params });
    await leave();
    expect(closed).toHaveLength(1);
  });
});

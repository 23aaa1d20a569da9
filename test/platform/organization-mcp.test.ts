import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type ProgramEnd, type ProgramRun, startProgram } from "./start-program.ts";

const eras = ["legacy", "modern"] as const;

// An organization's tools as an MCP client uses them, through the program itself.
describe("the MCP endpoint of an organization", { timeout: 120_000 }, () => {
  const directory = mkdtempSync(join(tmpdir(), "haft-organization-mcp-"));
  const environment = {
    ...{ HAFT_HOME: join(directory, "home"), HAFT_DATA: join(directory, "data"), HOME: directory },
  };
  const place = { directory, environment };
  let server: ProgramRun;
  let base: string;
  let keys: Readonly<Record<"all" | "support" | "echo" | "nothing", string>>;

  const haft = async (...args: string[]): Promise<ProgramEnd> => {
    const ended = await startProgram(args, place).ended;
    expect(ended, args.join(" ")).toMatchObject({ code: 0 });
    return ended;
  };
  const makeKey = async (...args: string[]): Promise<string> =>
    JSON.parse((await haft("key", "create", ...args)).stdout).api_key;

  beforeAll(async () => {
    server = startProgram(["serve", "--port", "0"], place);
    await server.printed(/Stop with Ctrl-C/u);
    writeTool("echo", 'return "echo " + toolInput.text;');
    writeTool(
      "slow",
      'sendStatusEvent("half way"); if (toolInput.text === "x") throw new Error("no x"); return "done";',
    );
    for (const name of ["echo", "slow"]) {
      await haft("tool", "publish", "--path", name, "--push", "--create", "--bump", "minor");
    }
    await haft(
      ...["tool", "set", "create", "support", "--tool", "say=echo@>=1,<2", "--tool", "slow"],
      ...["--instructions", "Say before you are slow."],
    );
    keys = {
      all: await makeKey("--name", "all"),
      support: await makeKey("--permission", "Tool:InvokeTool@set:support", "--name", "desk"),
      echo: await makeKey("--permission", "Tool:InvokeTool@tool:echo"),
      nothing: await makeKey("--permission", "Organization:GetAudit"),
    };
    const { url, organization } = JSON.parse(
      readFileSync(join(directory, "data", "credentials.json"), "utf8"),
    );
    base = `${url}/v1/${organization}/mcp`;
  }, 120_000);
  afterAll(async () => {
    server.child.kill("SIGINT");
    await server.ended;
    rmSync(directory, { recursive: true, force: true });
  });

  function writeTool(name: string, body: string): void {
    const project = join(directory, name);
    mkdirSync(join(project, "src"), { recursive: true });
    const inputSchema = {
      type: "object",
      properties: { text: { type: "string", description: "Any text." } },
      required: ["text"],
    };
    const manifest = { name, description: `Does ${name}.`, runtime: "node", inputSchema };
    writeFileSync(join(project, "tool.json"), JSON.stringify(manifest));
    const parameters =
      "{ toolInput, sendStatusEvent }: { toolInput: { text: string }; sendStatusEvent(event: unknown): void }";
    writeFileSync(
      join(project, "src", "tool.ts"),
      `export async function runTool(${parameters}) { void sendStatusEvent; ${body} }\n`,
    );
  }

  const connect = async (url: string, key: string, era: (typeof eras)[number]): Promise<Client> => {
    const client = new Client(
      { name: "desk-client", version: "3.2" },
      { versionNegotiation: { mode: era === "modern" ? { pin: "2026-07-28" } : "legacy" } },
    );
    const headers = { authorization: `Bearer ${key}`, "user-agent": "desk-agent/1" };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
    );
    onTestFinished(() => client.close());
    return client;
  };
  const namesOf = async (client: Client): Promise<string[]> =>
    (await client.listTools()).tools.map(({ name }) => name);

  it.each(eras)(
    "lists exactly what a key may call, under the names of the set (%s)",
    async (era) => {
      expect(await namesOf(await connect(base, keys.all, era))).toEqual(["echo", "slow"]);
      expect(await namesOf(await connect(base, keys.echo, era))).toEqual(["echo"]);
      const client = await connect(`${base}/support`, keys.support, era);
      expect(client.getInstructions()).toBe("Say before you are slow.");
      const { tools } = await client.listTools();
      expect(tools).toMatchObject([
        {
          name: "say",
          description: "Does echo.",
          inputSchema: { required: ["text"], properties: { text: { description: "Any text." } } },
        },
        { name: "slow" },
      ]);
      expect(await namesOf(await connect(`${base}/support`, keys.echo, era))).toEqual(["say"]);
    },
  );

  it.each(eras)("calls tools on the same path as HTTP, and records who did (%s)", async (era) => {
    const client = await connect(`${base}/support`, keys.support, era);
    const told: unknown[] = [];
    const call = (name: string, args: object) =>
      client.callTool(
        { name, arguments: args as Record<string, unknown> },
        { onprogress: ({ message }) => told.push(message) },
      );
    const content = (text: unknown) => [{ type: "text", text }];
    expect(await call("say", { text: "hi" })).toMatchObject({ content: content("echo hi") });
    expect(await call("slow", { text: "y" })).toMatchObject({ content: content("done") });
    expect(told).toContain("half way");
    expect(await call("slow", { text: "x" })).toMatchObject({
      ...{ isError: true, content: content(expect.stringContaining("no x")) },
    });
    expect(await call("say", { text: 7 })).toMatchObject({
      ...{ isError: true, content: content(expect.stringContaining("Nothing was run")) },
    });
    for (const unknown of ["echo", "nothing", "\0"]) {
      await expect(call(unknown, { text: "hi" })).rejects.toMatchObject({ code: -32602 });
    }
    const name = era === "modern" ? "desk-client/3.2" : "desk-agent/1";
    const { stdout } = await haft(
      ...["tool", "logs", "--json", "--key", "desk", "--source", "mcp", "--client", name],
    );
    expect(JSON.parse(stdout).tool_invocations).toMatchObject([
      { invocation_status: { succeeded: false }, invocation_source: { type: "mcp" } },
      { invocation_status: { output: "done" } },
      { invocation_status: { output: "echo hi" }, caller: { api_key_name: "desk", client: name } },
    ]);
  });

  it("answers in pages, and refuses a cursor that it did not make", async () => {
    const many = Array.from({ length: 60 }, (_, each) => `t${each}=echo`);
    await haft("tool", "set", "create", "many", ...many.flatMap((tool) => ["--tool", tool]));
    const client = await connect(`${base}/many`, keys.all, "modern");
    const seen: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await client.request({
        method: "tools/list",
        params: cursor === undefined ? {} : { cursor },
      });
      seen.push(...page.tools.map(({ name }: { readonly name: string }) => name));
      cursor = page.nextCursor;
      pages += 1;
    } while (cursor !== undefined);
    expect(seen).toEqual(many.map((_, each) => `t${each}`));
    expect(pages).toBe(2);
    const wrong = client.request({ method: "tools/list", params: { cursor: "~" } });
    await expect(wrong).rejects.toMatchObject({ code: -32602 });
  });

  it("refuses bad keys, keys without the permission and unknown sets", async () => {
    const ask = async (url: string, key?: string): Promise<Response> =>
      fetch(url, {
        method: "POST",
        headers: {
          ...{ "content-type": "application/json", accept: "application/json, text/event-stream" },
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
      });
    for (const key of [undefined, "haft_wrong", `${keys.all}x`]) {
      const reply = await ask(base, key);
      expect(reply.status).toBe(401);
      expect(reply.headers.get("www-authenticate")).toBe("Bearer");
    }
    expect((await ask(base, keys.nothing)).status).toBe(403);
    expect((await ask(`${base}/nothing`, keys.all)).status).toBe(404);
    expect((await ask(base.replace(/v1\/\w+/u, `v1/${"f".repeat(24)}`), keys.all)).status).toBe(
      404,
    );
    expect((await fetch(base, { headers: { authorization: `Bearer ${keys.all}` } })).status).toBe(
      405,
    );
  });
});

import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { openWorkbench } from "../test-support/open-workbench.ts";
import { send } from "../test-support/send.ts";
import type { WorkbenchMount } from "../workbench-mount.ts";

const mount: WorkbenchMount = {
  path: "/mcp",
  handle: async (request, response) => {
    const body = await text(request as IncomingMessage);
    response.writeHead(202, { "x-own": "1" }).end(`${request.method} ${body}`);
  },
  close: async () => {},
};

const open = async (mounts: readonly WorkbenchMount[] = [mount]) => {
  const workbench = await openWorkbench({ mounts });
  onTestFinished(workbench.close);
  return workbench;
};

describe("what is mounted on the workbench", () => {
  it("gets requests of every method as they are", async () => {
    const { url } = await open();
    const posted = await send(`${url}/mcp`, { body: "{ not JSON" });
    expect(posted).toMatchObject({ status: 202, text: "POST { not JSON" });
    expect(posted.headers).toMatchObject({ "x-own": "1", "cache-control": "no-store" });
    const plain = { method: "DELETE", headers: { "content-type": "text/plain" } };
    expect((await send(`${url}/mcp`, plain)).text).toBe("DELETE ");
  });

  it("is behind the token and the guards", async () => {
    const { url } = await open();
    expect((await send(`${url}/mcp`, { body: {}, anonymous: true })).status).toBe(401);
    const headers = { origin: "null" };
    expect((await send(`${url}/mcp`, { body: {}, headers })).status).toBe(403);
    expect((await send(`${url}/mcp`, { headers: { host: "evil.example" } })).status).toBe(403);
    expect((await send(`${url}/mcp/more`)).status).toBe(404);
  });

  it("fails only its own reply", async () => {
    const handle = () => Promise.reject(new Error("broken"));
    const { url } = await open([{ ...mount, handle }]);
    await expect(send(`${url}/mcp`)).rejects.toThrow();
    expect((await send(`${url}/healthz`)).status).toBe(200);
  });

  it("is told to end its replies before the workbench closes", async () => {
    let end: (() => void) | undefined;
    const endless: WorkbenchMount = {
      path: "/mcp",
      handle: async (_, response) => {
        response.write("begun");
        end = () => response.end(" ended");
      },
      close: async () => end?.(),
    };
    const workbench = await openWorkbench({ mounts: [endless] });
    const reply = send(`${workbench.url}/mcp`);
    await expect.poll(() => end).toBeDefined();
    await workbench.close();
    expect((await reply).text).toBe("begun ended");
  });

  it("is no longer missing", async () => {
    const { url } = await open();
    expect((await send(`${url}/api/status`)).text).not.toContain("MCP");
  });
});

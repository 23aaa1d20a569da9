import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { type LocalServer, startWebServer } from "../test-support/local-server.ts";
import { openTestEgress } from "../test-support/open-test-egress.ts";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";
import type { Egress } from "./egress.ts";
import { findEgressBridge } from "./egress-paths.ts";

const run = promisify(execFile);
const resolve = async (): Promise<string[]> => ["127.0.0.1"];
const hasCurl = ["/usr/bin/curl", "/bin/curl", "/usr/local/bin/curl"].some((path) =>
  existsSync(path),
);

describe("the bridge", () => {
  it("leads from a port to the socket, and says when it is ready", async () => {
    const { port } = await startWebServer(({ url }, response) => response.end(`got ${url}`));
    const egress = await openTestEgress({ allow: [`web.test:${port}`], resolve });
    const bridge = await startBridge(egress);
    const script = `fetch("http://web.test:${port}/page").then((r) => r.text()).then(console.log)`;
    expect(await runNode(script, `http://127.0.0.1:${bridge}`)).toBe("got /page\n");
  });
});

describe.skipIf(!hasCurl)("curl", () => {
  it.each([
    ["plain requests", ["--proxy"], "http"],
    ["tunnels", ["--proxytunnel", "--proxy"], "http"],
    ["SOCKS", ["--proxy"], "socks5h"],
  ])("gets through by %s, with the password only", async (_, options, scheme) => {
    const { port } = await startWebServer(({ url }, response) => response.end(`got ${url}\n`));
    const egress = await openTestEgress({ allow: [`web.test:${port}`], resolve });
    const proxy = (await egress.openPort()).replace("http", scheme);
    const curl = (through: string): Promise<{ stdout: string }> =>
      run("curl", [
        ...["-sS", "--max-time", "15", "--noproxy", "", ...options, through],
        ...[`http://web.test:${port}/a`, `http://web.test:${port}/b`, "-w", "%{http_code}\\n"],
      ]);
    const { stdout } = await curl(proxy);
    expect(stdout).toBe("got /a\n200\ngot /b\n200\n");
    for (const wrong of [proxy.replace(/:[^:@]*@/u, ":wrong@"), proxy.replace(/\/\/.*@/u, "//")]) {
      const answer = await curl(wrong).catch((error: { stdout: string }) => error);
      expect(answer.stdout).not.toContain("got");
    }
  });

  it("gets an error for a refused host", async () => {
    const egress = await openTestEgress({ hosts: ["granted.test"] });
    const proxy = await egress.openPort();
    const { stdout } = await run("curl", [
      ...["-sS", "--noproxy", "", "--proxy", proxy, "http://elsewhere.test/"],
    ]);
    expect(stdout).toContain("--allow-host elsewhere.test");
    expect(egress.refused()).toEqual(["elsewhere.test"]);
  });

  it("uploads and downloads more than fits into any buffer", async () => {
    const large = join(makeTemporaryDirectory(), "large");
    writeFileSync(large, Buffer.alloc(8 * 1024 * 1024, "haft"));
    const { port } = await startWebServer((request, response) => request.pipe(response));
    const egress = await openTestEgress({ allow: [`web.test:${port}`], resolve });
    const proxy = await egress.openPort();
    for (const tunnel of [[], ["--proxytunnel"]]) {
      await run("curl", [
        ...["-sS", "--noproxy", "", ...tunnel, "--proxy", proxy, "--data-binary", `@${large}`],
        ...["-o", `${large}.back`, `http://web.test:${port}/`],
      ]);
      expect(readFileSync(`${large}.back`).equals(readFileSync(large))).toBe(true);
    }
  });
});

describe("git", () => {
  it("clones through it", async () => {
    const { port } = await serveRepository();
    const egress = await openTestEgress({ allow: [`git.test:${port}`], resolve });
    const proxy = `http://127.0.0.1:${await startBridge(egress)}`;
    const target = join(makeTemporaryDirectory(), "clone");
    await git(["clone", "-q", `http://git.test:${port}/`, target], proxy);
    expect(readFileSync(join(target, "hello.txt"), "utf8")).toBe("hello\n");
    const refused = git(["ls-remote", `http://other.test:${port}/`], proxy);
    await expect(refused).rejects.toMatchObject({ stderr: expect.stringContaining("403") });
  });
});

describe("node", () => {
  it("fetches through it with its own setting", async () => {
    const { port } = await startWebServer(({ url }, response) => response.end(`got ${url}`));
    const egress = await openTestEgress({ allow: [`web.test:${port}`], resolve });
    const script = `
      const ask = (url) => fetch(url).then((r) => r.status, (e) => e.message);
      console.log(await ask("http://web.test:${port}/"), await ask("http://other.test/"));`;
    expect(await runNode(script, await egress.openPort())).toBe("200 fetch failed\n");
    expect(egress.refused()).toEqual(["other.test"]);
  });
});

async function startBridge(egress: Egress): Promise<number> {
  const port = await freePort();
  const args = [findEgressBridge(), egress.socketPath, String(port)];
  const bridge = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void bridge.kill("SIGKILL"));
  expect(await text(bridge.stdout)).toBe(`${bridge.pid}\n`);
  return port;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

async function runNode(script: string, proxy: string): Promise<string> {
  const environment = { PATH: process.env.PATH, NODE_USE_ENV_PROXY: "1", HTTP_PROXY: proxy };
  const args = ["--input-type=module", "-e", script];
  return (await run(process.execPath, args, { env: environment })).stdout;
}

function git(args: readonly string[], proxy?: string): Promise<unknown> {
  const home = makeTemporaryDirectory();
  const environment: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: home,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    ...(proxy !== undefined && { http_proxy: proxy }),
  };
  return run("git", ["-c", "user.name=x", "-c", "user.email=x@example.com", ...args], {
    env: environment,
    cwd: home,
  });
}

/** A repository as any server of files can offer it. */
async function serveRepository(): Promise<LocalServer> {
  const directory = makeTemporaryDirectory();
  const work = join(directory, "work");
  const bare = join(directory, "bare");
  await git(["init", "-q", work]);
  writeFileSync(join(work, "hello.txt"), "hello\n");
  await git(["-C", work, "add", "."]);
  await git(["-C", work, "commit", "-qm", "first"]);
  await git(["clone", "-q", "--bare", work, bare]);
  await git(["-C", bare, "update-server-info"]);
  return startWebServer(({ url = "" }, response) => {
    const file = join(bare, new URL(url, "http://x").pathname);
    if (existsSync(file)) response.end(readFileSync(file));
    else response.writeHead(404).end();
  });
}

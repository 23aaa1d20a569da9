import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Platform, startPlatform } from "@haft/platform";
import { readScaffold } from "@haft/platform/internal";

/** Tools that were published, and how to invoke them. */
export interface PublishedTools {
  readonly urls: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

/** How the tools of a platform are written, and whether their invocations share a process. */
export interface BenchTool {
  readonly runtime: "node" | "python";
  readonly reuse?: "process";
}

const source = `import { createHash } from "node:crypto";
export async function runTool({ toolInput }: { toolInput: { name: string } }): Promise<string> {
  return "hello " + createHash("sha256").update(toolInput.name).digest("hex");
}
`;

const pythonSource = `import hashlib
async def run_tool(tool_input, metadata, config, conversation, send_status_event, user_variables):
    return "hello " + hashlib.sha256(tool_input["name"].encode()).hexdigest()
`;

const testSource = `import { test } from "node:test";
import { runTool } from "../src/tool.ts";
test("greets", () => runTool({ toolInput: { name: "you" } }));
`;

const pythonTestSource = `import unittest
from src.tool import run_tool
class Greets(unittest.IsolatedAsyncioTestCase):
    async def test_greets(self):
        self.assertTrue(await run_tool({"name": "you"}, None, None, None, None, None))
`;

/** Starts a platform as `haft serve` does, and publishes the same tool under so many names. */
export async function openBenchPlatform(
  directory: string,
  tools: number,
  tool: BenchTool,
): Promise<PublishedTools> {
  const data = join(directory, "data");
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(join(data, "settings.json"), JSON.stringify({ requestsPerMinute: 1e9 }));
  const platform = await startPlatform({
    directory: data,
    environment: {},
    role: "all",
    port: 0,
    hostname: "127.0.0.1",
    version: "0.0.0",
  });
  const trouble = await platform.trouble;
  if (trouble !== undefined) throw new Error(trouble);
  const { organization, user_id, api_key } = credentialsOf(platform);
  const headers = { authorization: `Bearer ${api_key}`, "content-type": "application/json" };
  const base = `${platform.url}/v1/${organization}/tool`;
  const remote = new URL(`${base}/git`);
  remote.username = `${organization}_${user_id}`;
  remote.password = api_key;
  const names = Array.from({ length: tools }, (_, number) => `greeter_${number}`);
  const project = join(directory, "project");
  for (const name of names) await writeProject(join(project, name), { ...tool, name });
  await push(project, remote.href, `releases/${organization}`);
  const post = async (path: string, body: unknown): Promise<Record<string, string>> => {
    const answer = await fetch(base + path, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, string>;
  };
  const urls: string[] = [];
  for (const name of names) {
    const { id } = await post("/", { name, description: "Greets.", tags: {} });
    await post(`/${id}/version`, { project_path: name, bump_type: "major" });
    urls.push(`${base}/${id}/version/latest/invoke`);
  }
  return { urls, headers };
}

function credentialsOf({
  bootstrap,
}: Platform): NonNullable<NonNullable<Platform["bootstrap"]>["credentials"]> {
  const credentials = bootstrap?.credentials;
  if (credentials === undefined) throw new Error("The platform made no credentials.");
  return credentials;
}

async function writeProject(
  directory: string,
  { name, runtime, reuse }: BenchTool & { readonly name: string },
): Promise<void> {
  const files = new Map(await readScaffold({ name, runtime }));
  const inputSchema = {
    type: "object",
    properties: { name: { type: "string" } },
    required: ["name"],
  };
  const manifest = { name, description: "Greets.", runtime, inputSchema, reuse };
  for (const path of files.keys()) if (path.startsWith("test/")) files.delete(path);
  files.set("tool.json", Buffer.from(JSON.stringify(manifest)));
  if (runtime === "node") {
    files.set("src/tool.ts", Buffer.from(source));
    files.set("test/tool.test.ts", Buffer.from(testSource));
  } else {
    files.set("src/tool.py", Buffer.from(pythonSource));
    files.set("test/test_tool.py", Buffer.from(pythonTestSource));
  }
  for (const [path, content] of files) {
    const target = join(directory, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
}

async function push(directory: string, remote: string, branch: string): Promise<void> {
  const who = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"];
  // Asynchronous, because this process serves the push.
  const git = (...args: readonly string[]): Promise<unknown> =>
    promisify(execFile)("git", [...who, ...args], { cwd: directory });
  await git("init", "--quiet", "--initial-branch", branch);
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "Greet");
  await git("push", "--quiet", remote, branch);
}

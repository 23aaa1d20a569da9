import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { buildConsole } from "../../scripts/build-console.mjs";
import { type ProgramRun, startProgram } from "../platform/start-program.ts";

const run = promisify(execFile);

/** A server with the console, and what a test does beside the browser. */
export interface TestConsole {
  readonly url: string;
  readonly organization: string;
  /** The link that the first start printed. */
  readonly link: string;
  /** The directory where the server was started. */
  readonly workspace: string;
  /** Sends a request to the API with the administrator's key. */
  call<Body = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers?: object,
  ): Promise<Body>;
  /** Writes files, commits and pushes them to the release branch. */
  push(files: Readonly<Record<string, string>>): Promise<void>;
  /** Creates a tool and publishes its folder, both with this name. Returns the tool's ID. */
  publish(name: string, description?: string): Promise<string>;
  /** Runs `haft` in the workspace and returns what it printed. */
  haft(...args: string[]): Promise<string>;
  /** Starts `haft` in the workspace. */
  start(...args: string[]): ProgramRun;
  close(): Promise<void>;
}

/** Builds the page if it changed, and starts `haft serve` on a new directory. */
export async function openConsole(): Promise<TestConsole> {
  await buildConsole();
  const directory = mkdtempSync(join(tmpdir(), "haft-console-"));
  const [workspace, tree] = [join(directory, "workspace"), join(directory, "tree")];
  mkdirSync(workspace);
  mkdirSync(tree);
  const environment = {
    ...{ HAFT_HOME: join(directory, "home"), HAFT_DATA: join(directory, "data"), HOME: directory },
  };
  const place = { directory: workspace, environment };
  const server = startProgram(["serve", "--port", "0"], place);
  const printed = await server.printed(/Stop with Ctrl-C/u);
  const [, link = ""] = /Console +(\S+)/u.exec(printed) ?? [];
  const { url, organization, user_id, api_key } = JSON.parse(
    readFileSync(join(directory, "data", "credentials.json"), "utf8"),
  ) as Record<"url" | "organization" | "user_id" | "api_key", string>;
  const remote = `${url.replace("//", `//${organization}_${user_id}:${api_key}@`)}/v1/${organization}/tool/git`;

  const call: TestConsole["call"] = async <Body>(
    ...[method, path, body, headers = {}]: [string, string, unknown?, object?]
  ) => {
    const response = await fetch(`${url}/v1/${organization}/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${api_key}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as Body;
  };
  const git = (...args: string[]): Promise<unknown> =>
    run("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], {
      cwd: tree,
      env: { PATH: process.env.PATH, HOME: directory, GIT_TERMINAL_PROMPT: "0" },
    });
  await git("init", "--quiet");

  return {
    ...{ url, organization, link, workspace, call },
    push: async (files) => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(tree, path)), { recursive: true });
        writeFileSync(join(tree, path), text);
      }
      await git("add", ".");
      await git("commit", "--quiet", "--message", "Change");
      await git("push", "--quiet", remote, `HEAD:refs/heads/releases/${organization}`);
    },
    publish: async (name, description = "Does what a test wants to see.") => {
      const { id } = await call<{ id: string }>("POST", "tool/", { name, description, tags: {} });
      await call("POST", `tool/${id}/version`, { project_path: name, bump_type: "minor" });
      return id;
    },
    haft: async (...args) => (await startProgram(args, place).ended).stdout,
    start: (...args) => startProgram(args, place),
    close: async () => {
      server.child.kill("SIGINT");
      await server.ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The files of a tool in JavaScript, which takes no time to check. */
export function toProject(
  name: string,
  { properties = {}, code }: { properties?: object; code: string },
): Record<string, string> {
  const inputSchema = { type: "object", properties };
  const manifest = { name, description: "A tool.", runtime: "node", inputSchema };
  return {
    [`${name}/tool.json`]: JSON.stringify(manifest, null, 2),
    [`${name}/src/tool.js`]: `export const runTool = async ({ toolInput, ask, sendStatusEvent }) => {\n  ${code}\n};\n`,
    [`${name}/test/tool.test.js`]:
      'import { test } from "node:test";\ntest("nothing", () => {});\n',
  };
}

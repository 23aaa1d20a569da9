import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type StartedServer, startServer } from "./start-server.ts";

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
const { resolve: locate } = createRequire(import.meta.url);
const patienceMs = 60_000;

const compilerOptions = {
  strict: true,
  noEmit: true,
  // The program's types are in question, not the libraries'.
  skipLibCheck: true,
  target: "es2024",
  module: "nodenext",
  types: ["node"],
};

/** What is published: a tool that greets, and does not know whom without a name. */
const project = {
  "tool.json": JSON.stringify({
    ...{ name: "greet", description: "Greets somebody.", runtime: "node" },
    inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  }),
  "src/tool.js": `export const runTool = async ({ toolInput: { name } }) => {
  if (name === "") throw new RangeError("The name is empty.");
  return \`Hello, \${name}!\`;
};
`,
  "test/tool.test.js": 'import { test } from "node:test";\ntest("nothing", () => {});\n',
};

/** Pushes the project to the organization's release branch. */
async function push({ remote, organization }: StartedServer, directory: string): Promise<void> {
  for (const [path, text] of Object.entries(project)) {
    const file = join(directory, "greet", path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const git = (...args: string[]) =>
    run("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], {
      cwd: directory,
      env: { PATH: process.env.PATH, HOME: directory, GIT_TERMINAL_PROMPT: "0" },
    });
  await git("init", "--quiet");
  await git("add", "greet");
  await git("commit", "--quiet", "--message", "Greet");
  await git("push", "--quiet", remote, `HEAD:refs/heads/releases/${organization}`);
}

describe("a client with types made from /openapi.json", () => {
  let server: StartedServer;
  let directory: string;
  beforeAll(async () => {
    server = await startServer();
    directory = await mkdtemp(join(tmpdir(), "haft-typed-program-"));
    await copyFile(join(here, "program.mts"), join(directory, "program.mts"));
    await symlink(join(here, "../../node_modules"), join(directory, "node_modules"));
    const settings = { compilerOptions, include: ["*.mts"] };
    await writeFile(join(directory, "tsconfig.json"), JSON.stringify(settings));
    await push(server, directory);
  }, patienceMs);
  afterAll(async () => {
    await server?.close();
    await rm(directory, { recursive: true, force: true });
  });

  const node = (...args: string[]) =>
    run(process.execPath, args, { cwd: directory }).catch((error: Error & { stdout: string }) => {
      throw new Error(`${error.message}\n${error.stdout}`);
    });

  it("is generated, type-checked and answered as its types say", {
    timeout: patienceMs,
  }, async () => {
    await writeFile(
      join(directory, "openapi.json"),
      await (await fetch(`${server.url}/openapi.json`)).text(),
    );
    const generator = join(dirname(locate("openapi-typescript/package.json")), "bin/cli.js");
    await node(generator, "openapi.json", "--output", "schema.d.mts");
    // The console's types. After a change of the API: npx vitest run test/typed-client -u
    await expect(await readFile(join(directory, "schema.d.mts"), "utf8")).toMatchFileSnapshot(
      "../../packages/console/src/api/schema.d.ts",
    );
    // Fails also if what the program says to be wrong is not.
    await node(locate("typescript/bin/tsc"), "--project", "tsconfig.json");

    const { stdout } = await node("program.mts", server.url, server.organization, server.token);
    expect(JSON.parse(stdout)).toEqual({
      created: 201,
      toolId: expect.stringMatching(/^[a-f0-9]{24}$/u),
      names: ["greet"],
      more: false,
      refused: [
        422,
        {
          detail: [
            {
              loc: ["body", "description"],
              type: "string_type",
              msg: "Expected a string.",
              input: 5,
            },
          ],
          message: "body.description: Expected a string.",
        },
      ],
      taken: [409, { detail: expect.stringContaining("greet") }],
      published: [201, "1.0.0", "active", false],
      major: 1,
      invoked: ["1.0.0", ["Hello, Ada!", "The name is empty."]],
      unfit: 422,
      failures: ["RangeError"],
      gone: 204,
      nothing: 405,
      anonymous: [401, expect.any(String)],
    });
  });
});

import { execFile, spawn } from "node:child_process";
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isMissing } from "../scripts/setup/system-packages.mjs";

// Runs the real scripts/setup.mjs in a small project of its own, with a npm that only notes what it
// was asked and puts down what the real one would.

const scriptsFolder = fileURLToPath(new URL("../scripts", import.meta.url));
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "haft-setup-"));
  const filter = (path: string): boolean => !path.includes("node_modules");
  await cp(scriptsFolder, join(root, "scripts"), { recursive: true, filter });
  await put("package.json", {
    name: "small",
    workspaces: ["packages/*"],
    engines: { node: ">=24" },
    dependencies: { one: "1.0.0" },
  });
  await put("packages/part/package.json", { name: "part" });
  await put("packages/part/tsconfig.json", {});
  await put("packages/part/src/index.ts", "export const part = 1;");
  await put("packages/agent/agents/build.md", "You build.");
  for (const file of [
    "package.json",
    "tsconfig.json",
    "index.html",
    "vite.config.ts",
    "src/a.ts",
  ]) {
    await put(`packages/console/${file}`, {});
  }
  await put("packages/core/src/hosts/visible-text.ts", "");
  await put("tsconfig.json", { references: [{ path: "packages/part" }] });
  await put("tsconfig.base.json", {});
  await putLockfile("1.0.0");
  await put("npm/npm-cli.js", fakeNpm);
});

afterEach(() => rm(root, { recursive: true, force: true }));

describe("setup of a fresh clone", () => {
  test("installs, then builds", async () => {
    const { code, output } = await setup();
    expect(output).toMatch(/^Installing npm packages…\nInstalled .*\nBuilt the packages in .*\n$/);
    expect(code).toBe(0);
    expect(await calls("npm")).toEqual([expect.stringContaining("install --no-save")]);
    expect(await calls("tsc")).toEqual(["-b"]);
  });

  test("does nothing and says nothing the second time", async () => {
    await setup();
    expect(await setup()).toEqual({ code: 0, output: "" });
    expect(await calls("npm")).toHaveLength(1);
    expect(await calls("tsc")).toHaveLength(1);
  });

  test("leaves the build to the check that follows, when it is for tests", async () => {
    const { code } = await setup({ arguments: ["--for-tests"], env: { ...skip } });
    expect(code).toBe(0);
    expect(await calls("npm")).toHaveLength(1);
    expect(await calls("tsc")).toEqual([]);
  });

  test("does the work once when two run at the same time", async () => {
    const slowly = { env: { FAKE_NPM_WAITS: "500" } };
    const [left, right] = await Promise.all([setup(slowly), setup(slowly)]);
    expect([left.code, right.code]).toEqual([0, 0]);
    expect(left.output + right.output).toContain("Waiting for another setup");
    expect(await calls("npm")).toHaveLength(1);
    expect(await calls("tsc")).toHaveLength(1);
  });
});

describe("npm start on a fresh clone", () => {
  // A shell remembers where it found `node`, and would go on with the machine's own.
  test("serves on the Node that the setup has just brought", async () => {
    await put("packages/cli/bin/haft.js", "console.log(process.env.NODE_OF, process.argv[2]);");
    await putProgram("node", `NODE_OF=machine exec ${process.execPath} "$@"`);
    const { scripts } = JSON.parse(await readFile(join(scriptsFolder, "../package.json"), "utf8"));
    const path = [join(root, "node_modules/.bin"), join(root, "bin"), process.env.PATH];
    const env = { ...npmEnvironment(), PATH: path.join(":") };
    const { code, output } = await run("/bin/sh", ["-c", scripts.start], env);
    expect(output).toMatch(/undefined serve\n$/);
    expect(code).toBe(0);
  });
});

describe("setup after a change", () => {
  beforeEach(() => setup());

  test("installs when the lockfile names another version", async () => {
    await put("package.json", {
      ...(await json("package.json")),
      dependencies: { one: "2.0.0" },
    });
    await putLockfile("2.0.0");
    expect((await setup()).output).toContain("Installed npm packages");
  });

  test("accepts the state after npm was run by hand", async () => {
    await put("package.json", {
      ...(await json("package.json")),
      dependencies: { one: "2.0.0" },
    });
    await putLockfile("2.0.0");
    await cp(join(root, "package-lock.json"), join(root, "node_modules/.package-lock.json"));
    await setup();
    expect(await calls("npm")).toHaveLength(1);
  });

  test("refuses a lockfile that is behind, and says what to do", async () => {
    await put("packages/part/package.json", { name: "part", dependencies: { two: "1.0.0" } });
    const { code, output } = await setup();
    expect(code).toBe(1);
    expect(output).toContain("package-lock.json is behind packages/part/package.json");
    expect(output).toContain("Run `npm install`");
  });

  test("doesn't install for a change that npm has nothing to do with", async () => {
    await put("package.json", { ...(await json("package.json")), description: "new" });
    await setup();
    expect(await calls("npm")).toHaveLength(1);
  });

  test("builds when a source was touched, added or the build deleted", async () => {
    const file = join(root, "packages/part/src/index.ts");
    await utimes(file, new Date(0), new Date(0));
    await setup();
    expect(await calls("tsc")).toHaveLength(2);
    await put("packages/part/src/new.ts", "export const more = 2;");
    await setup();
    expect(await calls("tsc")).toHaveLength(3);
    await rm(join(root, "packages/part/dist"), { recursive: true });
    await setup();
    expect(await calls("tsc")).toHaveLength(4);
  });

  test("builds the console again when a source of it changed or its page was deleted", async () => {
    await put("packages/console/src/a.ts", "export const a = 1;");
    await setup();
    expect(await calls("vite")).toHaveLength(2);
    await rm(join(root, "packages/platform/dist/page"), { recursive: true });
    await setup();
    expect(await calls("vite")).toHaveLength(3);
    await put("packages/part/src/index.ts", "export const part = 2;");
    await setup();
    expect(await calls("vite")).toHaveLength(3);
  });

  test("fetches the project's Node again when it is gone", async () => {
    await rm(join(root, "node_modules/.bin/node"));
    expect(await setup()).toEqual({ code: 0, output: "Fetching the project's Node…\n" });
    expect((await calls("npm"))[1]).toContain("rebuild node --ignore-scripts=false");
  });

  test("refuses a Node that is too old", async () => {
    await put("package.json", { ...(await json("package.json")), engines: { node: ">=99" } });
    const { code, output } = await setup();
    expect(code).toBe(1);
    expect(output).toContain(
      `Haft needs Node 99, and node_modules/.bin/node is ${process.version}`,
    );
  });

  test("shows what the compiler said when the build fails, and fails again the next time", async () => {
    await put("packages/part/src/index.ts", "broken");
    for (const _ of [1, 2]) {
      const { code, output } = await setup({ env: { FAKE_TSC_FAILS: "1" } });
      expect(code).toBe(1);
      expect(output).toContain("error TS1005");
    }
  });
});

describe("setup when npm", () => {
  test("fails, shows what it said and what to do", async () => {
    const { code, output } = await setup({ env: { FAKE_NPM_FAILS: "npm error code ENOTFOUND" } });
    expect(code).toBe(1);
    expect(output).toContain("npm error code ENOTFOUND");
    expect(output).toContain("npm can't reach its registry");
    expect((await setup()).code).toBe(0);
  });

  test("is not on the PATH, uses the one that started it and lends it to install scripts", async () => {
    const { code } = await setup({ env: { PATH: join(root, "nothing") } });
    expect(code).toBe(0);
    expect(await calls("npm-on-path")).toEqual([expect.stringMatching(/\/npm$/)]);
  });

  test("is nowhere, says so", async () => {
    await rm(join(root, "npm"), { recursive: true });
    await symlink(process.execPath, join(root, "node"));
    const env = { PATH: join(root, "nothing"), npm_node_execpath: join(root, "node") };
    const { code, output } = await setup({ env });
    expect(code).toBe(1);
    expect(output).toContain("npm was not found");
  });
});

describe("the lock", () => {
  test("of a setup that died is taken over", async () => {
    const gone = spawn("true");
    await new Promise((resolve) => gone.on("close", resolve));
    await put(".haft-setup.lock/owner", `${hostname()} ${gone.pid} 1`);
    const { code, output } = await setup();
    expect(code).toBe(0);
    expect(output).not.toContain("Waiting");
  });

  test("of another machine is taken over when it is long silent", async () => {
    await put(".haft-setup.lock/owner", "elsewhere 1 1");
    await utimes(join(root, ".haft-setup.lock"), new Date(0), new Date(0));
    expect((await setup()).code).toBe(0);
  });

  test("is gone afterwards, also after a failure", async () => {
    await setup({ env: { FAKE_NPM_FAILS: "no" } });
    await expect(readFile(join(root, ".haft-setup.lock/owner"))).rejects.toThrow("ENOENT");
  });
});

describe("system packages", () => {
  const forTests = { arguments: ["--for-tests"] };

  test("are installed by apt-get when root finds them missing", async () => {
    await putProgram("apt-get", `echo "$@" >> ${root}/calls/apt-get\n${putNeeded()}`);
    await mkdir(join(root, "calls"), { recursive: true });
    const { code, output } = await setup({ ...forTests, env: { PATH: join(root, "bin") } });
    if (process.getuid?.() === 0) {
      expect(code).toBe(0);
      expect(output).toContain("Installing chromium, bubblewrap, postgresql…\n");
      expect(output).toContain("Installed chromium, bubblewrap, postgresql in");
      expect(await calls("apt-get")).toEqual([
        expect.stringMatching(/update$/),
        expect.stringMatching(/install -y --no-install-recommends chromium bubblewrap postgresql$/),
      ]);
    } else {
      expect(code).toBe(1);
      expect(output).toContain(
        "sudo apt-get install -y --no-install-recommends chromium bubblewrap postgresql",
      );
    }
  });

  test("are named when there is no apt-get", async () => {
    const { code, output } = await setup({ ...forTests, env: { PATH: join(root, "bin") } });
    expect(code).toBe(1);
    expect(output).toContain(
      "the tests need what isn't here: chromium (browser tests), bwrap (sandbox tests), pg_ctlcluster (tests on PostgreSQL)",
    );
    expect(output).toContain("set HAFT_SKIP_SYSTEM_PACKAGES=1");
  });

  test("can be done without, and a test can ask", async () => {
    const env = { PATH: join(root, "bin"), ...skip };
    const { code, output } = await setup({ ...forTests, env });
    expect(code).toBe(0);
    expect(output).toContain(
      "these tests are skipped: chromium (browser tests), bwrap (sandbox tests), pg_ctlcluster (tests on PostgreSQL)",
    );
    expect(isMissing("chromium", env)).toBe(true);
    expect(isMissing("chromium", { PATH: env.PATH })).toBe(false);
  });

  test("can't be skipped in CI", async () => {
    const env = { PATH: join(root, "bin"), ...skip, CI: "true" };
    expect((await setup({ ...forTests, env })).code).toBe(1);
    expect(isMissing("chromium", env)).toBe(false);
  });
});

const skip = { HAFT_SKIP_SYSTEM_PACKAGES: "1", CI: "" };

/** Notes its arguments; "installs" a Node and a compiler that notes its arguments too. */
const fakeNpm = `
const { execFileSync } = require("node:child_process");
const { appendFileSync, copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } = require("node:fs");
mkdirSync("calls", { recursive: true });
appendFileSync("calls/npm", process.argv.slice(2).join(" ") + "\\n");
appendFileSync("calls/npm-on-path", execFileSync("/bin/sh", ["-c", "command -v npm"]));
if (process.env.FAKE_NPM_FAILS) {
  console.error(process.env.FAKE_NPM_FAILS);
  process.exit(1);
}
mkdirSync("node_modules/.bin", { recursive: true });
if (!existsSync("node_modules/.bin/node")) symlinkSync(process.execPath, "node_modules/.bin/node");
mkdirSync("node_modules/typescript/bin", { recursive: true });
writeFileSync("node_modules/typescript/bin/tsc", \`
  const { appendFileSync, mkdirSync } = require("node:fs");
  appendFileSync("calls/tsc", process.argv.slice(2).join(" ") + "\\\\n");
  if (process.env.FAKE_TSC_FAILS) { console.log("error TS1005"); process.exit(1); }
  mkdirSync("packages/part/dist", { recursive: true });
\`);
mkdirSync("node_modules/rolldown", { recursive: true });
writeFileSync("node_modules/rolldown/index.js", "exports.build = async () => ({ output: [] });");
mkdirSync("node_modules/vite", { recursive: true });
writeFileSync("node_modules/vite/index.js", \`
  const { appendFileSync, mkdirSync } = require("node:fs");
  exports.build = async () => {
    appendFileSync("calls/vite", "build\\\\n");
    mkdirSync("packages/platform/dist/page", { recursive: true });
  };
\`);
copyFileSync("package-lock.json", "node_modules/.package-lock.json");
setTimeout(() => {}, Number(process.env.FAKE_NPM_WAITS ?? 0));
`;

interface Setup {
  arguments?: string[];
  env?: Record<string, string>;
}

interface Outcome {
  code: number;
  output: string;
}

function setup(how: Setup = {}): Promise<Outcome> {
  const script = [join(root, "scripts/setup.mjs"), ...(how.arguments ?? [])];
  return run(process.execPath, script, { ...npmEnvironment(), ...how.env });
}

/** What npm tells the scripts that it starts. */
function npmEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    npm_execpath: join(root, "npm/npm-cli.js"),
    npm_node_execpath: process.execPath,
  };
}

function run(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr });
    });
  });
}

async function put(path: string, content: string | object): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  const text = typeof content === "string" ? content : JSON.stringify(content);
  await writeFile(join(root, path), text);
}

function putLockfile(version: string): Promise<void> {
  return put("package-lock.json", {
    packages: {
      "": { dependencies: { one: version } },
      "packages/part": { name: "part" },
      "node_modules/one": { version, integrity: `sha512-${version}` },
      "node_modules/one-elsewhere": { version, optional: true, os: ["elsewhere"] },
    },
  });
}

async function putProgram(name: string, script: string): Promise<void> {
  await put(`bin/${name}`, `#!/bin/sh\n${script}\n`);
  await chmod(join(root, "bin", name), 0o755);
}

/** What a shell does to have the programs on the PATH that tests need. */
function putNeeded(): string {
  const files = ["chromium", "bwrap", "pg_ctlcluster"]
    .map((name) => join(root, "bin", name))
    .join(" ");
  return `/bin/touch ${files}; /bin/chmod 755 ${files}`;
}

async function json(path: string): Promise<object> {
  return JSON.parse(await readFile(join(root, path), "utf8"));
}

/** What a program was called with, call by call. */
async function calls(program: string): Promise<string[]> {
  const text = await readFile(join(root, "calls", program), "utf8").catch(() => "");
  return text.split("\n").filter((line) => line !== "");
}

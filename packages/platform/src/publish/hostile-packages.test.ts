import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { type Header, pack } from "tar-stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProjectTree } from "../git/repositories.ts";
import { unpackArtifact } from "../runner/artifact.ts";
import { findBuildTools } from "./build-tools.ts";
import {
  buildQuietly,
  closeBuilders,
  makeProject,
  openBuilder,
  refusal,
  type TestBuilder,
} from "./test-support/open-builder.ts";
import { type PackageServer, servePackages } from "./test-support/serve-packages.ts";

afterAll(closeBuilders);

const described = JSON.stringify({ name: "bad", version: "1.0.0", main: "index.js" });
const usual: readonly Entry[] = [
  [{ name: "package/package.json" }, described],
  [{ name: "package/index.js" }, "module.exports = 1;"],
];
// Repeats itself, but not so much that npm itself takes it for an attack.
const largeText = randomBytes(500).toString("hex").repeat(40_000);
// In a place that would be there for everybody.
const outside = `haft-escaped-${process.pid}`;
const up = "../".repeat(30);

type Entry = readonly [header: Partial<Header> & { readonly name: string }, content?: string];

async function toTarball(entries: readonly Entry[]): Promise<Buffer> {
  const archive = pack();
  for (const [header, content = ""] of entries) archive.entry(header, content);
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(Buffer.from(chunk as Uint8Array));
  return gzipSync(Buffer.concat(chunks));
}

// Builds mostly wait for npm and pip, so the cases run side by side.
describe("a hostile package", { timeout: 120_000 }, () => {
  let server: PackageServer;
  let builder: TestBuilder;
  beforeAll(async () => {
    server = await servePackages();
    const tools = findBuildTools({
      ...process.env,
      HAFT_NPM_REGISTRY: server.url,
      HAFT_PYTHON_INDEX: `${server.url}/simple/`,
    });
    const limits = {
      ...{ maxConcurrent: 3, installMs: 60_000 },
      ...{ maxWrittenBytes: 30_000_000, maxWrittenFiles: 1_500 },
    };
    builder = openBuilder({ tools, limits });
  });
  afterAll(() => server.stop());

  const withPackages = (entries: Readonly<Record<string, object>>): Promise<ProjectTree> => {
    const dependencies = Object.fromEntries(Object.keys(entries).map((name) => [name, "1.0.0"]));
    const paths = Object.entries(entries).map(([name, entry]) => [`node_modules/${name}`, entry]);
    const packages = { "": { dependencies }, ...Object.fromEntries(paths) };
    return makeProject("node", {
      "package.json": { name: "my_tool", type: "module", dependencies },
      "package-lock.json": { name: "my_tool", lockfileVersion: 3, packages },
      "src/tool.ts": undefined,
      "src/tool.js": "export const runTool = () => 1;",
      "test/tool.test.ts": undefined,
    });
  };
  const withPackage = (entry: object, name = "bad"): Promise<ProjectTree> =>
    withPackages({ [name]: entry });
  const expectNothingOutside = (): void => {
    for (const directory of [tmpdir(), "/tmp", "/", "/home", builder.directory]) {
      expect(existsSync(join(directory, outside))).toBe(false);
    }
  };

  it.concurrent("that has odd files leaves nothing outside", async () => {
    const odd: readonly (readonly Entry[])[] = [
      [[{ name: `package/${up}tmp/${outside}` }, "x"]],
      [[{ name: `package/../../${outside}` }, "x"]],
      [[{ name: `/tmp/${outside}` }, "x"]],
      [
        [{ name: "package/way", type: "symlink", linkname: "/tmp" }],
        [{ name: `package/way/${outside}` }, "x"],
      ],
      [[{ name: "package/passwd", type: "symlink", linkname: "/etc/passwd" }]],
      [[{ name: "package/passwd", type: "link", linkname: "/etc/passwd" }]],
      [[{ name: "package/disk", type: "block-device", devmajor: 8, devminor: 0 }]],
      [[{ name: "package/pipe", type: "fifo" }]],
      [[{ name: "package/INDEX.js" }, "module.exports = 2;"]],
      [[{ name: "package/\u0001\u001b[2J" }, "x"]],
    ];
    const tarballs = await Promise.all(odd.map((entries) => toTarball([...usual, ...entries])));
    const entries = tarballs.map((tarball, index) => [
      `odd${index}`,
      server.addTarball(`odd${index}`, tarball),
    ]);
    // npm leaves such entries out.
    await buildQuietly(builder, await withPackages(Object.fromEntries(entries)));
    expectNothingOutside();
  });

  it.concurrent("that describes itself oddly does no harm", async () => {
    const odd: readonly object[] = [
      { bin: { evil: `../../../../tmp/${outside}` } },
      { scripts: { preinstall: `touch /tmp/${outside}` }, gypfile: true },
      JSON.parse('{"__proto__":{"polluted":1},"constructor":1}'),
      { description: "x".repeat(2_000_000) },
    ];
    const entries: Record<string, object> = {};
    for (const [index, description] of odd.entries()) {
      const name = `described${index}`;
      const manifest = JSON.stringify({ name, version: "1.0.0", ...description });
      const own: Entry = [{ name: "package/package.json" }, manifest];
      const entry = server.addTarball(name, await toTarball([own, ...usual.slice(1)]));
      entries[name] = { ...entry, hasInstallScript: true };
    }
    await buildQuietly(builder, await withPackages(entries));
    expectNothingOutside();
  });

  it.concurrent("that unpacks to too many bytes or files is stopped", async () => {
    const large: readonly Entry[] = [[{ name: "package/large" }, largeText]];
    const many: Entry[] = Array.from({ length: 2_000 }, (_, index) => [
      { name: `package/many/${index}` },
    ]);
    const cases = [
      ["large", large, /wrote more than 30000000 bytes/u],
      ["many", many, /wrote more than 1500 files/u],
    ] as const;
    await Promise.all(
      cases.map(async ([name, entries, sentence]) => {
        const entry = server.addTarball(name, await toTarball([...usual, ...entries]));
        const { message } = await refusal(builder, await withPackage(entry, name));
        expect(message).toMatch(sentence);
      }),
    );
    expectNothingOutside();
  });

  it.concurrent("that differs from the lockfile's hash is refused", async () => {
    const entry = server.addTarball("bad", await toTarball(usual));
    const other = createHash("sha512").update("other").digest("base64");
    const lied = { ...entry, integrity: `sha512-${other}` };
    expect((await refusal(builder, await withPackage(lied))).message).toMatch(
      /could not be installed/u,
    );
  });

  it.concurrent.each([
    "http://169.254.169.254/latest/meta-data",
    "http://127.0.0.1:1/x.tgz",
    "git+ssh://git@127.0.0.1/a.git",
    "file:///etc/passwd",
    "https://registry.npmjs.org.evil.example/x.tgz",
    "https://evil.example/#registry.npmjs.org",
    "//evil.example/x.tgz",
  ])("that the lockfile takes from %s is refused", async (resolved) => {
    const entry = { version: "1.0.0", resolved, integrity: "sha512-AAAA" };
    expect((await refusal(builder, await withPackage(entry))).message).toContain("comes from");
  });

  it.concurrent.each([
    ["moved1", "http://169.254.169.254/x.tgz"],
    ["moved2", "http://localhost:9/x.tgz"],
  ])("that the registry redirects is refused: %s to %s", async (name, location) => {
    const entry = server.addTarball(name, await toTarball(usual));
    server.serve(`/${name}/-/${name}-1.0.0.tgz`, (response) =>
      response.writeHead(302, { location }).end(),
    );
    const { message } = await refusal(builder, await withPackage(entry, name));
    expect(message).toMatch(/could not be installed/u);
  });

  it.concurrent("whose download never ends is stopped at the time limit", async () => {
    const entry = server.addTarball("slow", await toTarball(usual));
    server.serve("/slow/-/slow-1.0.0.tgz", (response) => {
      const timer = setInterval(() => response.write("x"), 100);
      response.once("close", () => clearInterval(timer));
    });
    const hasty = openBuilder({
      tools: findBuildTools({ ...process.env, HAFT_NPM_REGISTRY: server.url }),
      limits: { installMs: 3_000 },
    });
    expect((await refusal(hasty, await withPackage(entry, "slow"))).message).toMatch(
      /Installing the dependencies did not finish within/u,
    );
  });

  const toWheel = (name: string, files: Readonly<Record<string, string>>): Uint8Array => {
    const about = `${name}-1.0.0.dist-info`;
    const all = {
      [`${name}/__init__.py`]: "VALUE = 1\n",
      [`${about}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0.0\n`,
      [`${about}/WHEEL`]: "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
      [`${about}/RECORD`]: "",
      ...files,
    };
    const entries = Object.entries(all).map(([path, text]) => [path, Buffer.from(text)] as const);
    return zipSync(Object.fromEntries(entries));
  };
  const inPython = (name: string): Promise<ProjectTree> =>
    makeProject("python", {
      "requirements.txt": `${name}==1.0.0\n`,
      "test/test_tool.py": undefined,
    });

  it.concurrent.each<[what: string, name: string, files: Readonly<Record<string, string>>]>([
    ["climbs out", "climbing", { [`${up}tmp/${outside}`]: "x" }],
    ["has an absolute path", "absolute", { [`/tmp/${outside}`]: "x" }],
    [
      "has data for the system",
      "installing",
      { [`installing-1.0.0.data/data/${up}tmp/${outside}`]: "x" },
    ],
    [
      "runs code at every start, and brings programs",
      "starting",
      {
        "starting.pth": `import os; os.system("touch /tmp/${outside}")\n`,
        "sitecustomize.py": `open("/tmp/${outside}", "w")\n`,
        "starting-1.0.0.data/scripts/evil": "#!python\nprint()\n",
        "starting-1.0.0.dist-info/entry_points.txt": "[console_scripts]\nevil = starting:x\n",
        "starting-1.0.0.dist-info/RECORD": `../../tmp/${outside},,\n`,
      },
    ],
  ])("of Python that %s does no harm", async (_what, name, files) => {
    server.addWheel(name, toWheel(name, files));
    const built = await buildQuietly(builder, await inPython(name)).catch((error: Error) => {
      expect(error).toMatchObject({ name: "Problem", status: 400 });
      return undefined;
    });
    if (built !== undefined) {
      const artifact = unpackArtifact(built.artifact);
      const paths = artifact.runtime === "python" ? Object.keys(artifact.files) : [];
      expect(paths.filter((path) => /^\/|\.\.|^bin\//u.test(path))).toEqual([]);
    }
    expectNothingOutside();
  });

  it.concurrent("of Python that unpacks to too many bytes is stopped", async () => {
    server.addWheel("swelling", toWheel("swelling", { "swelling/large.bin": largeText }));
    expect((await refusal(builder, await inPython("swelling"))).message).toMatch(
      /wrote more than/u,
    );
    expectNothingOutside();
  });

  it.concurrent.each([
    ["another host", "remote", "https://evil.example/remote-1.0.0-py3-none-any.whl"],
    ["a private address", "private", "http://169.254.169.254/private-1.0.0-py3-none-any.whl"],
    ["a file of the server", "passwd", "file:///etc/passwd#egg=passwd-1.0.0-py3-none-any.whl"],
    ["a package that has to be built", "source", "/files/source-1.0.0.tar.gz"],
    ["a package of another name", "named", "/files/worse-1.0.0-py3-none-any.whl"],
  ])("of Python that the index finds at %s is refused", async (_what, name, href) => {
    server.serve(`/simple/${name}/`, (response) =>
      response
        .writeHead(200, { "content-type": "text/html" })
        .end(
          `<!DOCTYPE html><html><body><a href="${href}">${href.split("/").at(-1)}</a></body></html>`,
        ),
    );
    const { message } = await refusal(builder, await inPython(name));
    expect(message).toMatch(/could not be installed/u);
  });

  it("leaves no file in the build directories", () => {
    const slots = join(builder.directory, "builds");
    expect(readdirSync(slots).flatMap((slot) => readdirSync(join(slots, slot)))).toEqual([]);
  });
});

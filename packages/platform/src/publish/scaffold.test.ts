import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { extract } from "tar-stream";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Route } from "../api/route.ts";
import { packScaffold, packScaffoldPackage, readScaffold, scaffoldHash } from "./scaffold.ts";
import { scaffoldRoutes } from "./scaffold-routes.ts";

function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "haft-scaffold-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

describe("the scaffold", () => {
  it("has the name that it is given, everywhere", async () => {
    for (const runtime of ["node", "python"] as const) {
      const files = await readScaffold({ name: "look_up", runtime });
      const all = [...files].map(([path, bytes]) => `${path}\n${Buffer.from(bytes)}`).join("\n");
      expect(all).not.toContain("my_tool");
      expect(JSON.parse(Buffer.from(files.get("tool.json") ?? "").toString()).name).toBe("look_up");
      expect([...files.keys()]).toEqual(
        expect.arrayContaining([
          ".gitignore",
          "README.md",
          `src/tool.${runtime === "node" ? "ts" : "py"}`,
        ]),
      );
    }
    await expect(readScaffold({ name: "../x", runtime: "node" })).rejects.toThrow(
      /not a valid tool name/u,
    );
  });

  it("is an archive of plain files and folders, always the same", async () => {
    const packed = await packScaffold({ name: "look_up", runtime: "node" });
    expect(await packScaffold({ name: "look_up", runtime: "node" })).toEqual(packed);
    const found: string[] = [];
    const archive = extract();
    archive.end(gunzipSync(packed.bytes));
    for await (const entry of archive) {
      const { name, type, mode, mtime } = entry.header;
      found.push(`${type} ${mode?.toString(8)} ${mtime?.getTime()} ${name}`);
      entry.resume();
    }
    expect(found).toEqual(
      expect.arrayContaining([
        "directory 755 0 look_up/",
        "directory 755 0 look_up/src/",
        "file 644 0 look_up/tool.json",
        "file 644 0 look_up/src/tool.ts",
      ]),
    );
  });

  it("is a package that npm takes, with types that are right", async () => {
    const directory = makeDirectory();
    const { bytes, name, type } = await packScaffoldPackage("node");
    expect({ name, type }).toEqual({
      name: "amigo_tool_scaffold-1.0.0.tgz",
      type: "application/gzip",
    });
    writeFileSync(join(directory, name), bytes);
    execFileSync("tar", ["-xzf", name], { cwd: directory });
    const described = JSON.parse(readFileSync(join(directory, "package/package.json"), "utf8"));
    expect(described).toMatchObject({ name: "amigo_tool_scaffold", version: "1.0.0" });
    const typescript = createRequire(import.meta.url).resolve("typescript/package.json");
    const tsc = join(dirname(typescript), "bin/tsc");
    const options = [
      "--strict",
      "--noEmit",
      "--lib",
      "esnext,dom",
      "--types",
      "",
      "--module",
      "preserve",
    ];
    execFileSync(process.execPath, [tsc, ...options, "package/node.d.ts", "package/index.d.ts"], {
      cwd: directory,
      stdio: "inherit",
    });
  });

  it("never shows what is sensitive of a user, in Node", async () => {
    const place = new URL(
      "../../scaffold/packages/node/amigo_tool_scaffold/index.js",
      import.meta.url,
    );
    const { createUserVariables } = await import(fileURLToPath(place));
    const variables = createUserVariables({ team: "red" }, { pin: "1234" });
    const { inspect } = await import("node:util");
    expect([variables.get("pin"), variables.get("team"), variables.get("none")]).toEqual([
      ...["1234", "red", undefined],
    ]);
    const printed = [
      String(variables),
      JSON.stringify(variables),
      inspect(variables, { showHidden: true, depth: 9 }),
    ];
    for (const text of [...printed, JSON.stringify({ ...variables })])
      expect(text).not.toContain("1234");
    expect(printed[1]).toBe('{"team":"red","pin":"•••"}');
  });

  it("is a package that Python takes, and never shows what is sensitive of a user", async () => {
    const directory = makeDirectory();
    const { bytes, name, type } = await packScaffoldPackage("python");
    expect(await packScaffoldPackage("python")).toEqual({ bytes, name, type });
    writeFileSync(join(directory, name), bytes);
    const script = `
import copy, json, pickle, pprint
from importlib.metadata import version
from amigo_tool_scaffold.user_variables import UserVariables
variables = UserVariables({"team": "red"}, {"pin": "1234"})
assert version("amigo_tool_scaffold") == "1.0.0"
assert variables.get("pin") == "1234" and variables["team"] == "red" and variables.get("none") is None
assert "pin" in variables
texts = [str(variables), repr(variables), f"{variables}", pprint.pformat(variables)]
for look in (lambda: json.dumps(variables), lambda: list(variables), lambda: pickle.dumps(variables), lambda: vars(variables), lambda: copy.copy(variables)):
    try:
        texts.append(str(look()))
    except TypeError:
        pass
assert not any("1234" in text for text in texts), texts
print("fine")
`;
    const output = execFileSync("python3", ["-B", "-c", script], {
      env: { ...process.env, PYTHONPATH: join(directory, name) },
      encoding: "utf8",
    });
    expect(output).toBe("fine\n");
    const installed = join(directory, "installed");
    execFileSync("python3", [
      "-m",
      "pip",
      "install",
      "-q",
      "--no-deps",
      "--no-index",
      "--no-compile",
      "--target",
      installed,
      join(directory, name),
    ]);
    expect(readFileSync(join(installed, "amigo_tool_scaffold/py.typed"), "utf8")).toBe("");
  });

  it("is handed out over HTTP", async () => {
    const [route] = scaffoldRoutes() as Route[];
    const get = (query: object): ReturnType<Route["handle"]> =>
      (route as Route).handle({
        ...{ principal: {} as never, params: {}, query, body: undefined, headers: {} },
        signal: new AbortController().signal,
      });
    const project = await get({ runtime: "python", form: "project", name: "my_tool" });
    expect(project).toMatchObject({
      status: 200,
      headers: {
        "content-type": "application/gzip",
        "content-disposition": 'attachment; filename="amigo_tool_scaffold.tar.gz"',
      },
    });
    expect(gunzipSync(project.body as Uint8Array).includes("my_tool/src/tool.py")).toBe(true);
    expect(await get({ runtime: "python", form: "package", name: "my_tool" })).toMatchObject({
      headers: {
        "content-type": "application/zip",
        "content-disposition": expect.stringContaining("-py3-none-any.whl"),
      },
    });
    expect(scaffoldRoutes()[0]).toMatchObject({
      schema: { response: { 200: { contentMediaType: "application/gzip" } } },
    });
    expect(await scaffoldHash()).toMatch(/^[0-9a-f]{40}$/u);
  });
});

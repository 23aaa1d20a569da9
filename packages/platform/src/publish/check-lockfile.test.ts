import { describe, expect, it } from "vitest";
import { checkLockfile, readPackage } from "./check-lockfile.ts";

const toBytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
const registry = new URL("https://packages.example.com/npm/");
const integrity = "sha512-AAAA";

describe("what a project says of its packages", () => {
  it("is nothing if it needs none but the scaffold's own", () => {
    const given = { name: "x", devDependencies: { amigo_tool_scaffold: "file:../x.tgz" } };
    expect(readPackage(new Map([["package.json", toBytes(given)]]))).toBeUndefined();
    expect(readPackage(new Map())).toBeUndefined();
  });

  it("loses what could run something or lead elsewhere", () => {
    const given = {
      ...{ name: "x", type: "module", scripts: { install: "rm -rf /" } },
      ...{ publishConfig: { registry: "https://evil.example" }, dependencies: { a: "1.0.0" } },
    };
    const project = new Map([
      ["package.json", toBytes(given)],
      ["package-lock.json", toBytes({})],
    ]);
    expect(readPackage(project)).toEqual({
      ...{ name: "x", type: "module", dependencies: { a: "1.0.0" } },
    });
  });

  it.each([
    [{ workspaces: ["a"], dependencies: { a: "1" } }, /has workspaces/u],
    [[], /package\.json is not a JSON object/u],
  ])("is refused: %j", (given, sentence) => {
    expect(() => readPackage(new Map([["package.json", toBytes(given)]]))).toThrow(sentence);
  });

  it("is taken from the configured registry, and from the public one that npm replaces", () => {
    const packages = {
      "": { dependencies: { a: "1.0.0", amigo_tool_scaffold: "file:x.tgz" } },
      "node_modules/a": { resolved: "https://packages.example.com/npm/a.tgz", integrity },
      "node_modules/a/node_modules/b": { resolved: "https://registry.npmjs.org/b.tgz", integrity },
      "node_modules/c": { integrity },
      "node_modules/c/node_modules/d": { inBundle: true },
      "node_modules/amigo_tool_scaffold": { resolved: "file:x.tgz" },
    };
    const checked = checkLockfile(toBytes({ lockfileVersion: 3, packages }), registry);
    expect(checked).toEqual({
      lockfileVersion: 3,
      packages: {
        ...packages,
        "": { dependencies: { a: "1.0.0" } },
        "node_modules/amigo_tool_scaffold": undefined,
      },
    });
  });

  it.each([
    ["node_modules/a", { resolved: "http://packages.example.com/npm/a.tgz", integrity }],
    ["node_modules/a", { resolved: "https://u:p@packages.example.com/a.tgz", integrity }],
    ["node_modules/a", { resolved: 7, integrity }],
    ["../outside", { integrity }],
    ["node_modules/../../x", { integrity }],
    ["packages/own", { version: "1.0.0" }],
  ])("is refused from elsewhere: %s %j", (path, entry) => {
    const lockfile = toBytes({ lockfileVersion: 3, packages: { [path]: entry } });
    expect(() => checkLockfile(lockfile, registry)).toThrow(/^package-lock\.json: /u);
  });

  it("is refused in an old form", () => {
    expect(() => checkLockfile(toBytes({ lockfileVersion: 1 }), registry)).toThrow(/old format/u);
  });
});

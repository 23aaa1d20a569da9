import { mkdirSync, realpathSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeTemporaryDirectory } from "../../test-support/temporary-directory.ts";
import { findToolchains } from "./find-toolchains.ts";

describe("findToolchains", () => {
  const find = (path: readonly string[], files: readonly string[] = []): readonly string[] => {
    const base = makeTemporaryDirectory();
    for (const directory of ["home", "work", ...path])
      mkdirSync(join(base, directory), { recursive: true });
    for (const file of files) {
      mkdirSync(dirname(join(base, file)), { recursive: true });
      writeFileSync(join(base, file), "");
    }
    const { directories } = findToolchains(placeAt(base, path));
    return directories
      .filter((found) => found.startsWith(base))
      .map((found) => found.slice(base.length + 1));
  };

  it("knows where people keep compilers, with all that belongs to them", () => {
    expect(find(["home/.cargo/bin"], ["home/.rustup/settings.toml"])).toEqual([
      "home/.cargo",
      "home/.rustup",
    ]);
    expect(find(["home/.nvm/versions/node/v24/bin"])).toEqual(["home/.nvm"]);
    expect(find(["home/.pyenv/shims", "home/.pyenv/bin", "home/go/bin"])).toEqual([
      "home/.pyenv",
      "home/go",
    ]);
  });

  it("takes a directory of programs alone, or all of what is installed around it", () => {
    expect(find(["home/bin"])).toEqual(["home/bin"]);
    expect(find(["home/bin"], ["home/lib/x"])).toEqual(["home/bin"]);
    expect(find(["apps/tool/bin"], ["apps/tool/lib/x"])).toEqual(["apps/tool"]);
    expect(find(["apps/tool/bin"], ["apps/other/x"])).toEqual(["apps/tool/bin"]);
  });

  it("takes nothing of workspaces, the system, or another project's programs", () => {
    expect(find(["work/bin", "other/node_modules/.bin"])).toEqual([]);
    // All of what is installed around it would be more than the workspace.
    expect(find(["bin"], ["lib/x"])).toEqual(["bin"]);
  });

  it("finds what a link leads to", () => {
    const base = makeTemporaryDirectory();
    mkdirSync(join(base, "real/bin"), { recursive: true });
    symlinkSync(join(base, "real"), join(base, "linked"));
    expect(findToolchains(placeAt(base, ["linked/bin"])).directories).toContain(
      join(base, "real/bin"),
    );
  });

  it("has the node that runs us", () => {
    const node = realpathSync(process.execPath);
    const { directories } = findToolchains(placeAt(makeTemporaryDirectory(), []));
    expect([...directories, "/usr", "/opt"].some((path) => node.startsWith(`${path}/`))).toBe(true);
  });

  it("finds passwords that tools keep, also those that come later", () => {
    const base = makeTemporaryDirectory();
    const cargo = join(base, "home/.cargo");
    mkdirSync(join(cargo, "bin"), { recursive: true });
    utimesSync(cargo, new Date(1000), new Date(1000));
    const { findSecrets } = findToolchains(placeAt(base, ["home/.cargo/bin"]));
    expect(findSecrets()).toEqual([]);
    writeFileSync(join(cargo, "credentials.toml"), "");
    expect(findSecrets()).toEqual([{ path: join(cargo, "credentials.toml"), type: "file" }]);
  });

  it("finds settings that hold a token, as soon as they do", () => {
    const base = makeTemporaryDirectory();
    const cargo = join(base, "home/.cargo");
    const npm = join(base, "home/.npm-global");
    for (const path of [join(cargo, "bin"), join(npm, "bin"), join(npm, "etc")]) {
      mkdirSync(path, { recursive: true });
    }
    const config = join(cargo, "config.toml");
    const npmrc = join(npm, "etc/npmrc");
    writeFileSync(config, "[build]\ntarget = 'x'\n");
    writeFileSync(npmrc, "registry=https://r.example\n");
    const place = placeAt(base, ["home/.cargo/bin", "home/.npm-global/bin"]);
    const { findSecrets } = findToolchains(place);
    expect(findSecrets()).toEqual([]);
    writeFileSync(config, "[registries.own]\ntoken = 'abc'\n");
    expect(findSecrets()).toEqual([{ path: config, type: "file" }]);
    for (const line of ["//r.example/:_authToken=abc", "_auth = YTpi", "proxy=http://u:p@h:1"]) {
      writeFileSync(npmrc, `${line}\n`);
      expect([line, findSecrets().map(({ path }) => path)]).toEqual([line, [config, npmrc]]);
    }
    writeFileSync(config, "");
    writeFileSync(npmrc, "");
    expect(findSecrets()).toEqual([]);
  });
});

function placeAt(base: string, path: readonly string[]): Parameters<typeof findToolchains>[0] {
  return {
    roots: [join(base, "work")],
    home: join(base, "home"),
    stateDirectory: join(base, "state"),
    searchPath: ["relative", "/no/such", ...path.map((name) => join(base, name))].join(":"),
  };
}

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";
import { findRipgrep } from "./ripgrep.ts";

describe("findRipgrep", () => {
  // What the same source finds from another place.
  const findFrom = (directory: string, path: string): unknown => {
    for (const source of ["search/ripgrep.ts", "paths/find-on-path.ts"]) {
      const from = fileURLToPath(new URL(`../${source}`, import.meta.url));
      cpSync(from, join(directory, "src", source));
    }
    const script =
      'console.log(JSON.stringify((await import("./src/search/ripgrep.ts")).findRipgrep() ?? {}))';
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      cwd: directory,
      env: { PATH: path },
      encoding: "utf8",
    });
    return JSON.parse(stdout);
  };
  const carrier = `@vscode/ripgrep-${process.platform}-${process.arch}`;
  const program = process.platform === "win32" ? "rg.exe" : "rg";
  const putProgram = (directory: string): string => {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, program), "", { mode: 0o755 });
    return join(directory, program);
  };

  it("finds the one that came with us", () => {
    const found = findRipgrep();
    expect(found?.from).toBe("package");
    expect(spawnSync(found?.path ?? "", ["--version"]).stdout.toString()).toMatch(/^ripgrep 1/u);
  });

  it("finds it where only the package that carries it can see it", () => {
    const base = makeTemporaryDirectory();
    const store = join(base, "store/node_modules");
    const path = putProgram(join(store, carrier, "bin"));
    mkdirSync(join(store, "@vscode/ripgrep"));
    writeFileSync(join(store, "@vscode/ripgrep/index.js"), "");
    mkdirSync(join(base, "app/node_modules/@vscode"), { recursive: true });
    symlinkSync(join(store, "@vscode/ripgrep"), join(base, "app/node_modules/@vscode/ripgrep"));
    expect(findFrom(join(base, "app"), "")).toEqual({ path, from: "package" });
  });

  it("takes the system's where none came with us, but not from a relative place or a project", () => {
    const base = makeTemporaryDirectory();
    const path = putProgram(join(base, "bin"));
    putProgram(join(base, "app/here"));
    putProgram(join(base, "app/node_modules/.bin"));
    const own = join(base, "app/node_modules/.bin");
    expect(findFrom(join(base, "app"), `here:.:${own}:${join(base, "bin")}`)).toEqual({
      path,
      from: "system",
    });
    expect(findFrom(join(base, "app"), "here:.")).toEqual({});
  });
});

import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { CommandReading, ReadWrite } from "@haft/core";
import { beforeAll, describe, expect, it } from "vitest";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";
import { createCommandReader } from "./command-reader.ts";

beforeAll(() => createCommandReader({ roots: [], home: undefined }).prepare());

function read(command: string, cwd = "/w"): CommandReading {
  return createCommandReader({ roots: [cwd], home: "/home/me" }).read(command, cwd);
}

const paths = ({ writes }: CommandReading): readonly ReadWrite["path"][] =>
  writes.map(({ path }) => path);

describe("what a command line writes", () => {
  it.each([
    ["ls > a", ["/w/a"]],
    ["ls >a 2>b", ["/w/a", "/w/b"]],
    [
      "ls >> a; ls >| b; ls &> c; ls &>> d; ls >& e; ls <> f",
      "abcdef".split("").map((name) => `/w/${name}`),
    ],
    ["> a", ["/w/a"]],
    ["2>a ls >b", ["/w/a", "/w/b"]],
    ["ls > /none/such", ["/none/such"]],
    ["ls > ~/x", ["/home/me/x"]],
    ["ls > 'a b'", ["/w/a b"]],
    ["ls > ./a/./b//c", ["/w/a/b/c"]],
    ["ls > a/../../none-such", ["/none-such"]],
    ["cd sub && ls > a", ["/w/sub/a"]],
    ["cd nowhere; ls > a", [undefined]],
    ["(cd sub && ls > a) && ls > b", ["/w/sub/a", "/w/b"]],
    ["{ ls; } > a", ["/w/a"]],
    ["(ls) > a", ["/w/a"]],
    ["if ls; then ls > a; fi > b", ["/w/b", "/w/a"]],
    ["while ls; do ls; done > a", ["/w/a"]],
    ["f() { ls; } > a", ["/w/a"]],
    ["cat > a <<'E'\n> b\nE", ["/w/a"]],
    ["echo $(ls > a)", ["/w/a"]],
    ["timeout 5 ls > a", ["/w/a"]],
    ["bash -c 'ls > a'", ["/w/a"]],
    ["eval 'ls > a'", ["/w/a"]],
    ["exec > a", ["/w/a"]],
    ["ls > $x", [undefined]],
    ["ls > a*", [undefined]],
    ["ls > ''", [undefined]],
    ["ls 3> a 4>&3", ["/w/a"]],
    ["ls > /dev/null >&2 2>&1 3>&- >/dev/stdout 2>/dev/stderr >/dev/fd/3", []],
    ["ls < a", []],
    ["echo '> a'", []],
    ["ls > /dev/tty", ["/dev/tty"]],
  ])("by %j is known", (command, expected) => {
    expect(paths(read(command))).toEqual(expected);
  });

  it.each([
    "echo x > .git/hooks/pre-commit",
    "echo x > .git/config",
    "echo x >> .GIT/config",
    "cd .git && echo x > config",
    "cd .git/hooks && echo x > pre-push",
    "echo x > sub/../.git/config",
    "echo x > ~/.bashrc",
    "echo x > .haft/rules",
    "echo x > $'.g\\x69t/config'",
    "bash -c 'echo x > .git/config'",
  ])("is refused where it is protected: %j", (command) => {
    expect(read(command).writes.at(-1)?.refusal).toContain("is protected");
  });

  it("is refused where a link leads to what is protected", () => {
    const root = makeTemporaryDirectory();
    mkdirSync(join(root, ".git/hooks"), { recursive: true });
    symlinkSync(".git/hooks", join(root, "hooks"));
    symlinkSync(".git/config", join(root, "settings"));
    symlinkSync("missing/../.git/config", join(root, "dangling"));
    for (const target of ["hooks/pre-commit", "settings", "hooks/../config"]) {
      expect(read(`echo x > ${target}`, root).writes[0]?.refusal).toContain("is protected");
    }
    expect(read("cd hooks && echo x > pre-commit", root).writes[0]?.refusal).toBeDefined();
    expect(read("echo x > plain", root).writes[0]).toEqual({ path: join(root, "plain") });
  });

  it("goes through links before it goes up, as the kernel does", () => {
    const root = makeTemporaryDirectory();
    mkdirSync(join(root, "deep/er"), { recursive: true });
    symlinkSync("deep/er", join(root, "link"));
    expect(paths(read("echo x > link/../a", root))).toEqual([join(root, "deep/a")]);
    expect(paths(read("cd link && echo x > ../a", root))).toEqual([join(root, "deep/a")]);
    expect(paths(read("cd link/.. && echo x > a", root))).toEqual([join(root, "a")]);
  });

  it("is private below the directories for temporary files, unless people work there", () => {
    const path = "/tmp/haft-none-such";
    expect(read(`ls > ${path}`).writes).toEqual([{ path, isPrivate: true }]);
    expect(read("ls > /var/tmp/a").writes[0]?.isPrivate).toBe(true);
    expect(read("ls > /tmp").writes[0]?.isPrivate).toBeUndefined();
    expect(read("ls > /tmp/../none-such").writes).toEqual([{ path: "/none-such" }]);
    expect(read("ls > a", "/tmp/w").writes).toEqual([{ path: "/tmp/w/a" }]);
  });
});

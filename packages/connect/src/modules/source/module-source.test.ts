import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import { parseModuleSource } from "./module-source.ts";

const path = (path: string): object => ({ type: "path", path });
const package_ = (name: string, version?: string): object => ({ type: "package", name, version });
const repository = (url: string, ref?: string, subdirectory = "."): object => ({
  type: "repository",
  url,
  ref,
  subdirectory,
});

describe("parseModuleSource", () => {
  it.each([
    ["./a", path("/plans/a")],
    ["../a", path("/a")],
    ["/x/a", path("/x/a")],
    ["modules/a", path("/plans/modules/a")],
    ["~/a", path(`${homedir()}/a`)],
    ["file:///x/a%20b", path("/x/a b")],
    ["my-tool", package_("my-tool")],
    ["@org/my-tool", package_("@org/my-tool")],
    ["my-tool@1.2.3", package_("my-tool", "1.2.3")],
    ["@org/my-tool@^2", package_("@org/my-tool", "^2")],
    ["git+https://host/org/repo", repository("https://host/org/repo")],
    ["git+https://host/org/repo@main", repository("https://host/org/repo", "main")],
    ["git+https://host/r.git@feature/x", repository("https://host/r.git", "feature/x")],
    ["git+ssh://git@host/org/r@v1", repository("ssh://git@host/org/r", "v1")],
    ["git+https://h/r@m#subdirectory=a/b", repository("https://h/r", "m", "a/b")],
    ["git+file:///x/repo@main", repository("file:///x/repo", "main")],
  ])("reads %s", (text, expected) => {
    expect(parseModuleSource(text, "/plans")).toEqual(expected);
  });

  it.each([
    ["http://host/a", /this URL scheme is not supported\. Write a path/u],
    ["git+http://host/a", /must use https, ssh or file\./u],
    ["git+ext::sh -c id", /must use https, ssh or file\./u],
    ["git+https://host/r@--upload-pack=id", /not the name of a branch/u],
    ["git+https://host/r@a..b", /not the name of a branch/u],
    ["git+https://host/r#subdirectory=../x", /outside the repository/u],
    ["git+https://host/r#subdirectory=/x", /outside the repository/u],
    ["git+https://host/r#egg=x", /parameter "egg" is not supported/u],
    ["my-tool@--global", /not a version/u],
    ["my-tool@git+ssh://x", /not a version/u],
    ["file://host/x", /a file URL must have an absolute path/u],
  ])("refuses %s", (text, message) => {
    expect(() => parseModuleSource(text, "/plans")).toThrow(message);
  });

  it("never repeats a password", () => {
    expect(() => parseModuleSource("git+http://me:hunter2@host/r", "/plans")).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining("hunter2") }),
    );
  });
});

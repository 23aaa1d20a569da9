import { describe, expect, it } from "vitest";
import { liftDirectory } from "./lift-directory.ts";

describe("liftDirectory", () => {
  it.each([
    ["sleep 5 &", "sleep 5"],
    ["sleep 5 &&", "sleep 5"],
    ["sleep 5&", "sleep 5"],
    ["sleep 5 &\n", "sleep 5"],
    ["  ls  ", "ls"],
    ["a & b", "a & b"],
    ["a && b", "a && b"],
    ["echo '&' 2>&1", "echo '&' 2>&1"],
    ["cd src", "cd src"],
    ["cd src &&", "cd src"],
  ])("converts %j to %j", (cmd, command) => {
    expect(liftDirectory(cmd, undefined)).toEqual({ command });
    expect(liftDirectory(cmd, "/w")).toEqual({ command, cwd: "/w" });
  });

  it.each([
    ["cd src && ls", "src", "ls"],
    ["cd src&&ls", "src", "ls"],
    ["cd  src/a-b  &&  ls -l && pwd &", "src/a-b", "ls -l && pwd"],
    ["cd .. && ls", "..", "ls"],
    ["cd 'my src' && ls", "my src", "ls"],
    ['cd "my src" && ls', "my src", "ls"],
    ["cd 'a && b' && ls", "a && b", "ls"],
    ["cd src && ls\npwd", "src", "ls\npwd"],
  ])("lifts the directory of %j", (cmd, directory, command) => {
    expect(liftDirectory(cmd, undefined)).toEqual({ command, cwd: directory });
    expect(liftDirectory(cmd, "/w")).toEqual({ command, cwd: `/w/${directory}` });
    expect(liftDirectory(cmd, "/")).toEqual({ command, cwd: `/${directory}` });
  });

  it.each([
    ["cd /etc && ls", "/etc"],
    ["cd ~ && ls", "~"],
    ["cd ~/src && ls", "~/src"],
  ])("takes the directory of %j as it is", (cmd, cwd) => {
    expect(liftDirectory(cmd, "/w")).toEqual({ command: "ls", cwd });
  });

  it.each([
    "cd $HOME && ls",
    "cd `pwd` && ls",
    'cd "$(pwd)" && ls',
    "cd a; rm -rf b && ls",
    "cd a || b && ls",
    "cd a | b && ls",
    "cd a > b && ls",
    "cd -- a && ls",
    "cd - && ls",
    "cd '-' && ls",
    "cd '~' && ls",
    "cd ~root && ls",
    "cd a* && ls",
    "cd {a,b} && ls",
    "cd a\\ b && ls",
    "cd a b && ls",
    "cd a'b' && ls",
    "cd a\nls && pwd",
    "cdx a && ls",
    "cd && ls",
    "echo; cd a && ls",
  ])("leaves %j to the shell", (command) => {
    expect(liftDirectory(command, "/w")).toEqual({ command, cwd: "/w" });
  });
});

import { describe, expect, it } from "vitest";
import { makeResultEnvironment } from "../../test-support/make-result-environment.ts";
import { bash } from "./shell.ts";

const frame = (data: object, args: object = { command: "ls" }): unknown =>
  bash.toData?.(data, args, makeResultEnvironment({ roots: ["/w", "/v"], home: "/home/me" }));

describe("the frame of Bash", () => {
  it("has the command, the directory, the output and the exit code", () => {
    expect(frame({ output: "a\nb\n", exit_code: 2 }, { command: "ls -la", cwd: "/w/src" })).toBe(
      "<command>ls -la</command>\n<working_directory>/w/src</working_directory>\n<output>a\nb\n</output>\n<exit_code>2</exit_code>",
    );
  });

  it.each([
    [undefined, "/w"],
    [".", "/w"],
    ["src/", "/w/src"],
    ["src/../test", "/w/test"],
    ["/w/a/./b", "/w/a/b"],
    ["/", "/"],
  ])("names the directory %s in full", (cwd, directory) => {
    expect(frame({}, { command: "ls", cwd })).toContain(
      `<working_directory>${directory}</working_directory>`,
    );
  });

  it.each([
    [{ exit_code: null, signal: "SIGKILL" }, -9],
    [{ exit_code: null, signal: "SIGTERM" }, -15],
    [{ exit_code: null, signal: "SIGODD" }, -1],
    [{}, -1],
  ])("tells %j by the exit code %d", (data, code) => {
    expect(frame(data)).toContain(`<output></output>\n<exit_code>${code}</exit_code>`);
  });

  it("says what else there is to say at the end of the output", () => {
    const data = {
      output: "x",
      exit_code: 0,
      waited_for_input: "Name: ",
      left_running: [{ pid: 1, command: "sleep 9", ports: [] }],
      refused_hosts: ["a.io"],
      notes: ["Noted."],
      advice: "Do this.",
    };
    expect(frame(data)).toContain(
      '<output>x\n[Stopped: the command waited for input at "Name: ".]\n[Stopped a process that was left running: sleep 9]\n[The connection to a.io was refused.]\n[Noted.]\n[Do this.]</output>',
    );
  });
});

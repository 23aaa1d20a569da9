import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import { stateDirectory } from "./state-directory.ts";

describe("stateDirectory", () => {
  it.each([
    [{ HAFT_HOME: "/h", XDG_STATE_HOME: "/x", HOME: "/u" }, "/h"],
    [{ HAFT_HOME: "", XDG_STATE_HOME: "/x", HOME: "/u" }, "/x/haft"],
    [{ XDG_STATE_HOME: "relative", HOME: "/u" }, "/u/.local/state/haft"],
    [{ HOME: "/u" }, "/u/.local/state/haft"],
    [{}, `${homedir()}/.local/state/haft`],
  ])("is, with %j, %s", (environment, expected) => {
    expect(stateDirectory(environment)).toBe(expected);
  });
});

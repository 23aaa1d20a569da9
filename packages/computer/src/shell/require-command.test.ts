import { compileRequirements, type Grant } from "@haft/contract";
import type { CommandReading, ReadCommand } from "@haft/core";
import { unreadCommand } from "@haft/core/internal";
import { describe, expect, it } from "vitest";
import { requireCommand } from "./require-command.ts";

const narrow = grantOf(["git", "ls"]);
const wide = grantOf(["*"]);

describe("requireCommand", () => {
  it("takes commands that are granted, each of them", () => {
    expect(() => requireCommand("x", read({ words: ["git", "log"] }), narrow)).not.toThrow();
    expect(() =>
      requireCommand("x", read({ words: ["ls"] }, { words: ["git"] }), narrow),
    ).not.toThrow();
  });

  it.each<[string, CommandReading]>([
    ["one of them is another", read({ words: ["ls"] }, { words: ["rm", "x"] })],
    ["a word is not literal", read({ words: ["git", undefined] })],
    ["the program is not literal", read({ words: [undefined] })],
    ["it is wrapped in another", read({ words: ["git"], wrappers: [["sudo", "-n"]] })],
    ["its wrapper is not literal", read({ words: ["git"], wrappers: [["ls", undefined]] })],
    ["it is doubtful", read({ words: ["git"], doubts: ["GIT_DIR steers it"] })],
    ["the whole is doubtful", unreadCommand("git", "it can't be parsed")],
  ])("refuses a line if %s, unless any command is granted", (_, reading) => {
    expect(() => requireCommand("x", reading, narrow)).toThrow(
      expect.objectContaining({ code: "out-of-scope" }),
    );
    expect(() => requireCommand("x", reading, wide)).not.toThrow();
  });
});

function grantOf(commands: readonly string[]): Grant {
  return compileRequirements({ shell: commands.map((cmd) => ({ cmd })) }, {});
}

function read(...commands: (Pick<ReadCommand, "words"> & Partial<ReadCommand>)[]): CommandReading {
  return {
    doubts: [],
    commands: commands.map((command) => ({
      plainWords: command.words,
      wrappers: [],
      risks: [],
      doubts: [],
      cwd: "/",
      effects: [],
      ...command,
    })),
    writes: [],
    looseWords: [],
    readsOnly: false,
  };
}

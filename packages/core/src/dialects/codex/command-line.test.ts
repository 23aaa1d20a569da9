import { describe, expect, it } from "vitest";
import { toCommandLine } from "./command-line.ts";

describe("toCommandLine", () => {
  it.each([
    ["ls | wc", "ls | wc"],
    [["bash", "-lc", "ls | wc"], "ls | wc"],
    [["/usr/bin/zsh", "-c", "ls"], "ls"],
    [["bash", "-c", "echo $0", "name"], "bash -c 'echo $0' name"],
    [["bash", "script.sh"], "bash script.sh"],
    [["bash", "-c", ""], "bash -c ''"],
    [["grep", "-r", "a b", "src"], "grep -r 'a b' src"],
    [["echo", "it's", "$HOME", "~", ""], String.raw`echo 'it'\''s' '$HOME' '~' ''`],
    [["A=1"], "A=1"],
  ])("makes of %j %s", (command, line) => {
    expect(toCommandLine(command)).toBe(line);
  });
});

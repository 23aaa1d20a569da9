import { describe, expect, it } from "vitest";
import { makeResultEnvironment } from "../../test-support/make-result-environment.ts";
import { runShellCommand } from "./shell.ts";

const [foreground] = runShellCommand;

describe("the text of run_shell_command", () => {
  it("has the signal, and what no exit code tells", () => {
    const data = { output: "x\n", exit_code: null, signal: "SIGTERM", notes: ["Noted."] };
    expect(foreground?.toData?.(data, {}, makeResultEnvironment())).toBe(
      "Signal: SIGTERM\nOutput: x\n\n[Noted.]",
    );
  });
});

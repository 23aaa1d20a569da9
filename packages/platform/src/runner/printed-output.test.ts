import { afterAll, describe, expect, it } from "vitest";
import { OutputLog } from "./printed-output.ts";
import { nodeTool, openTestRunner, pythonTool } from "./test-support/open-runner.ts";

describe("the output of an invocation", () => {
  const runner = openTestRunner();
  afterAll(() => runner.close(0));

  const tools = [
    [
      "Node",
      nodeTool(`console.log("out", tool.toolInput.n); console.error("err " + tool.config.KEY);
        if (tool.toolInput.exit) process.exit(3);
        if (tool.toolInput.hang) for (;;);
        return "ok";`),
    ],
    [
      "Python",
      pythonTool(`import os, sys
print("out", tool_input["n"])
print("err " + config.KEY, file=sys.stderr)
if tool_input.get("exit"): os._exit(3)
while tool_input.get("hang"): pass
return "ok"`),
    ],
  ] as const;

  it.each(tools)("is kept by stream in %s, in a new process and a used one", async (_, tool) => {
    for (const n of [1, 2]) {
      const secrets = ["k3y"];
      const { printed } = await runner.call(tool, {
        input: { n },
        config: { KEY: "k3y" },
        secrets,
      });
      expect(printed).toEqual({
        stdout: { text: `out ${n}\n`, omittedCharacters: 0 },
        stderr: { text: "err •••\n", omittedCharacters: 0 },
      });
    }
  });

  it.each(tools)("is kept in %s if the process ends or is stopped", async (_, tool) => {
    const config = { KEY: "k" };
    const exited = await runner.call(tool, { input: { n: 1, exit: true }, config });
    const hung = await runner.call(
      { ...tool, timeoutMs: 1_000 },
      { input: { n: 2, hang: true }, config },
    );
    expect([exited, hung]).toMatchObject([
      { exceptionType: "WorkerDied", printed: { stdout: { text: "out 1\n" } } },
      { exceptionType: "Timeout", printed: { stdout: { text: "out 2\n" } } },
    ]);
  });

  it("shows no part of a secret at the place where it is cut", () => {
    const secret = "0123456789abcdef";
    for (let shift = 0; shift < secret.length; shift++) {
      const log = new OutputLog([secret]);
      log.add("stdout", `${"-".repeat(32 * 1024 - shift)}${secret}${"-".repeat(50_000)}`, 0);
      log.add("stdout", `${secret.slice(shift)}${"-".repeat(32 * 1024)}`.slice(0, 32 * 1024), 7);
      const { text, omittedCharacters } = log.read(true).stdout;
      expect(text).toMatch(/^-+\n… \d+ characters were left out …\n-+$/u);
      expect(text).toContain(`… ${omittedCharacters} `);
    }
  });

  it("leaves out a line that is not complete yet, while the tool runs", () => {
    const log = new OutputLog(["secret"]);
    log.add("stderr", "one\nsec", 0);
    expect(log.read(false).stderr.text).toBe("one\n");
    log.add("stderr", "ret", 0);
    expect(log.read(true).stderr.text).toBe("one\n•••");
  });
});

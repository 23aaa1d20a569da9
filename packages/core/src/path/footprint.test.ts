import { createMemoryComputer } from "@haft/computer/memory";
import { describe, expect, it } from "vitest";
import { createHeldTool } from "../test-support/held-tool.ts";
import { readPlainCommands } from "../test-support/plain-commands.ts";
import { settle } from "../test-support/settle.ts";
import { startSession } from "../test-support/start-session.ts";

function open(changes = {}) {
  const bash = createHeldTool("bash", "write", {
    requires: { shell: [{ cmd: "*" }] },
    execution: {
      resourceKeys: ({ key = "" }) => [{ type: "command", key, mode: "write" }],
    },
  });
  const computer = readPlainCommands(createMemoryComputer(), changes);
  const session = startSession(computer, [bash]);
  const call = (key: string) => session.call({ name: "bash", arguments: { key } });
  return { bash, call };
}

describe("the footprint of a command", () => {
  it("lets commands that only read run side by side", async () => {
    const { bash, call } = open();
    const calls = [call("ls a"), call("ls b")];
    await settle();
    expect(bash.calls).toHaveLength(2);
    for (const held of bash.calls) held.finish({});
    await Promise.all(calls);
  });

  it("lets any other command run alone", async () => {
    const { bash, call } = open();
    const calls = [call("make"), call("ls")];
    await settle();
    expect(bash.calls).toHaveLength(1);
    bash.calls[0]?.finish({});
    await calls[0];
    await settle();
    bash.calls[1]?.finish({});
    await Promise.all(calls);
  });

  it("waits until the shell is prepared", async () => {
    const prepared = Promise.withResolvers<void>();
    const { bash, call } = open({ prepareShell: () => prepared.promise });
    const calling = call("ls");
    await settle();
    expect(bash.calls).toHaveLength(0);
    prepared.resolve();
    await settle();
    bash.calls[0]?.finish({});
    expect((await calling).type).toBe("output");
  });
});

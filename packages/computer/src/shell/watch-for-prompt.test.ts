import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { createBroker } from "../broker/broker.ts";
import { plainPlan } from "../test-support/plain-plan.ts";
import { watchForPrompt } from "./watch-for-prompt.ts";

const silenceMs = 300;

describe("watchForPrompt", () => {
  it.each([
    ["asked and sleeps", "printf 'Password: '; sleep 60", "Password:"],
    ["asked in colour", String.raw`printf '\033[1mProceed?\033[0m (Y/n) '; sleep 60`, "Proceed"],
    [
      "reads from a terminal",
      `python3 -c "import os, pty, time; pty.fork()[0] or os.execvp('cat', ['cat']); time.sleep(60)"`,
      "(input from a terminal)",
    ],
  ])("recognises a command that %s", async (_, command, prompt) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    await watch(command, resolve);
    expect(await promise).toContain(prompt);
  });

  it("leaves commands alone that work, start others, go on, or asked nothing", async () => {
    const commands = [
      "printf 'Password: '; while :; do :; done",
      "printf 'Password: '; while :; do sleep 0.05; done",
      "printf 'Password: '; sleep 0.1; echo; sleep 60",
      "echo Reading the password:; sleep 60",
    ];
    const prompts: string[] = [];
    // On a busy machine a command may not get on for a while.
    const patienceMs = 4 * silenceMs;
    const note = (command: string) => (prompt: string) =>
      void prompts.push(`${command}: ${prompt}`);
    await Promise.all(commands.map((command) => watch(command, note(command), patienceMs)));
    await wait(patienceMs * 3);
    expect(prompts).toEqual([]);
  });
});

async function watch(
  command: string,
  onPrompt: (prompt: string) => void,
  patienceMs: number = silenceMs,
): Promise<void> {
  const broker = createBroker({ prefix: [] });
  onTestFinished(() => broker.close());
  const output = { lastLine: "", lastAt: performance.now() };
  const launched = await broker.launch(plainPlan(command), {
    output: (bytes) => {
      output.lastLine = bytes.toString("utf8").split("\n").at(-1) ?? "";
      output.lastAt = performance.now();
      return undefined;
    },
  });
  await launched.started;
  onTestFinished(watchForPrompt({ launched, output, silenceMs: patienceMs }, onPrompt));
}

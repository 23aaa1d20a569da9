import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { LaunchPlan } from "../sandbox/launch-plan.ts";
import { CollectText } from "../test-support/collect-text.ts";
import {
  findProcesses,
  uniqueSleep,
  untilGone,
  untilThere,
} from "../test-support/find-processes.ts";
import { plainPlan } from "../test-support/plain-plan.ts";
import { spawnSource } from "../test-support/spawn-source.ts";
import { type Broker, createBroker } from "./broker.ts";
import type { LaunchEnd } from "./messages.ts";

describe("createBroker", () => {
  it("runs a process and says how it ended", async () => {
    const broker = open();
    expect(await run(broker, plainPlan("echo out; exit 3"))).toMatchObject({
      text: "out\n",
      exitCode: 3,
    });
    expect(await run(broker, plainPlan("kill -9 $$"))).toMatchObject({ signal: "SIGKILL" });
  });

  it("starts no program of its own that a project put on the path", async () => {
    const project = mkdtempSync(join(tmpdir(), "haft-broker-test-"));
    const before = process.env.PATH;
    onTestFinished(() => {
      process.env.PATH = before;
      rmSync(project, { recursive: true, force: true });
    });
    const programs = join(project, "node_modules/.bin");
    const canary = join(project, "canary");
    mkdirSync(programs, { recursive: true });
    for (const name of ["mkfifo", "node", "sh", "bash", "perl"]) {
      writeFileSync(join(programs, name), `#!/bin/sh\ntouch '${canary}'\n`, { mode: 0o755 });
    }
    process.env.PATH = `${programs}:node_modules/.bin::${before}`;
    expect(await run(open(), plainPlan("echo out"))).toMatchObject({ text: "out\n" });
    expect(existsSync(canary)).toBe(false);
  });

  it("keeps the order of standard output and error, which are one real pipe", async () => {
    const command = "for i in 1 2 3; do echo o$i; echo e$i >&2; echo d$i >/dev/stderr; done";
    const { text } = await run(open(), plainPlan(command));
    expect(text).toBe("o1\ne1\nd1\no2\ne2\nd2\no3\ne3\nd3\n");
  });

  it("gives it a session of its own, and no input", async () => {
    const { text } = await run(
      open(),
      plainPlan("cat; ps -o sid= -p $$; echo $$; (: </dev/tty) || echo none"),
    );
    const [session, pid, , none] = text.trim().split(/\s*\n\s*/u);
    expect([session, none]).toEqual([pid, "none"]);
  });

  it("keeps standard error apart and hands over input if told to", async () => {
    const [output, errors] = [new CollectText(), new CollectText()];
    const input = "x".repeat(500_000);
    const launched = await open().launch(plainPlan("cat; echo error >&2"), {
      output: output.take,
      errors: errors.take,
      input,
    });
    await launched.ended;
    expect([output.text, errors.text]).toEqual([input, "error\n"]);
  });

  it("starts many at once, though there are pipes for a few only", async () => {
    const broker = open();
    await run(broker, plainPlan("true"));
    const launches = Array.from({ length: 40 }, async (_, number) => {
      const [output, errors] = [new CollectText(), new CollectText()];
      const launched = await broker.launch(plainPlan(`cat; echo ${number} >&2`), {
        output: output.take,
        errors: errors.take,
        input: "in",
      });
      await launched.ended;
      return [output.text, errors.text];
    });
    expect(await Promise.all(launches)).toEqual(
      Array.from({ length: 40 }, (_, number) => ["in", `${number}\n`]),
    );
  });

  it("says what can't be run", async () => {
    const broker = open();
    for (const plan of [
      { ...plainPlan(""), program: "/no/such/program" },
      { ...plainPlan(""), args: ["a\0b"] },
      { ...plainPlan(""), args: ["x".repeat(4_000_000)] },
    ]) {
      await expect(run(broker, plan)).rejects.toMatchObject({ code: "unavailable" });
    }
    expect((await run(broker, plainPlan("echo still"))).text).toBe("still\n");
  });

  it("stops at its time limit", async () => {
    const { promise: mayGoOn, resolve } = Promise.withResolvers<void>();
    let taken = 0;
    const launched = await open().launch(plainPlan("head -c 3000000 /dev/zero; echo done >&2"), {
      output: (bytes) => {
        taken += bytes.length;
        return mayGoOn;
      },
      errors: () => undefined,
    });
    await wait(300);
    expect(taken).toBeLessThanOrEqual(64 * 1024);
    expect((await launched.look()).processes).not.toEqual([]);
    resolve();
    await launched.ended;
    expect(taken).toBe(3_000_000);
  });

  it.each([
    ["in the background", (sleep: string) => `${sleep} &`],
    ["in another session", (sleep: string) => `setsid ${sleep} &`],
    ["deaf to other signals", (sleep: string) => `trap '' HUP TERM INT; nohup ${sleep} 2>&- &`],
    ["without a parent", (sleep: string) => `(setsid ${sleep} </dev/null >/dev/null 2>&1 &)`],
    ["with an empty environment", (sleep: string) => `(env -i setsid ${sleep} &)`],
  ])("names and ends what is left %s", async (_, command) => {
    const sleep = uniqueSleep();
    // These words alone: this script has them among others, and so has what is yet to run them.
    const isThere = `for p in /proc/[0-9]*; do
      { read -rd '' one && [ "$one" = sleep ] && read -rd '' two && [ "$two" = ${sleep} ]; } <$p/cmdline && break
    done 2>/dev/null`;
    const script = `${command(`sleep ${sleep}`)}\nuntil ${isThere}; do sleep 0.01; done; echo done`;
    const { left, text } = await run(open(), plainPlan(script));
    expect(text).toBe("done\n");
    expect(left.map((process) => process.command)).toEqual([`sleep ${sleep}`]);
    expect(findProcesses(sleep)).toEqual([]);
  });

  it("tells on which port a process listens that was left", async () => {
    const script =
      "require('net').createServer().listen(0, function () { console.log(this.address().port) })";
    const command = `coproc node -e "${script}"; read -u "\${COPROC[0]}" port; echo $port`;
    const { left, text } = await run(open(), plainPlan(command));
    expect(left.flatMap(({ ports }) => ports)).toEqual([Number(text)]);
  });

  it("does not let two runs disturb each other", async () => {
    const broker = open();
    const sleep = uniqueSleep();
    const long = await broker.launch(plainPlan(`setsid sleep ${sleep} & wait`), silent);
    await untilThere(sleep);
    await run(broker, plainPlan("sleep 0.01 & exit"));
    expect(findProcesses(sleep)).not.toEqual([]);
    long.kill();
    await long.ended;
    expect(findProcesses(sleep)).toEqual([]);
  });

  it("does not outlive its parent, and leaves nothing behind", async () => {
    for (const ending of ["ended", "killed"]) {
      const sleep = uniqueSleep();
      const child = await spawnSource("use-broker.ts", [sleep, ending]);
      const told = JSON.parse(await readAll(child.stdout)) as { broker: number; directory: string };
      await untilGone(sleep);
      while (existsSync(`/proc/${told.broker}`)) await wait(10);
      expect(existsSync(told.directory)).toBe(false);
    }
  });

  it("ends what ran when the broker itself dies, says so, and continues with a new one", async () => {
    const broker = open();
    const sleep = uniqueSleep();
    const output = new CollectText();
    const command = `echo $PPID; setsid sleep ${sleep} & sleep ${sleep}`;
    const launched = await broker.launch(plainPlan(command), { output: output.take });
    await untilThere(`sleep\0${sleep}`, 2);
    // The processes can be seen before what they said arrives.
    await vi.waitFor(() => expect(output.text).toMatch(/\n$/u));
    process.kill(Number.parseInt(output.text, 10), "SIGKILL");
    await expect(launched.ended).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("SIGKILL"),
    });
    expect(findProcesses(sleep)).toEqual([]);
    expect((await run(broker, plainPlan("echo again"))).text).toBe("again\n");
  });
});

const silent = { output: () => undefined };

function open(): Broker {
  const broker = createBroker({ prefix: [] });
  onTestFinished(() => broker.close());
  return broker;
}

async function run(broker: Broker, plan: LaunchPlan): Promise<LaunchEnd & { text: string }> {
  const output = new CollectText();
  const launched = await broker.launch(plan, { output: output.take });
  return { ...(await launched.ended), text: output.text };
}

async function readAll(stream: AsyncIterable<unknown> | null): Promise<string> {
  let text = "";
  for await (const part of stream ?? []) text += String(part);
  return text;
}

import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import type { LaunchPlan } from "../sandbox/launch-plan.ts";
import { findProcesses, uniqueSleep, untilGone } from "../test-support/find-processes.ts";
import { plainPlan } from "../test-support/plain-plan.ts";
import { createBroker } from "./broker.ts";

// More of them for a night: STORM_ROUNDS=5000.
const rounds = Number(process.env.STORM_ROUNDS ?? 120);
const atOnce = 4;
const latestMs = 50;
const patienceMs = 20_000 + rounds * 100;

/** Starts children of every kind that tries to stay. */
const scatter = (sleep: string): string =>
  [
    "trap '' TERM INT HUP",
    `sleep ${sleep} &`,
    `setsid sleep ${sleep} &`,
    `nohup sleep ${sleep} >/dev/null 2>&1 &`,
    `(setsid bash -c 'trap "" TERM; sleep ${sleep}; true' &)`,
    `(env -i setsid sleep ${sleep} &)`,
    `sleep ${sleep}; wait`,
  ].join("\n");

describe("kill", () => {
  it.each([
    ["a plain process", plainPlan],
    ["a process in a namespace of its own", namespaced],
  ])(
    "leaves nothing of %s, at whatever moment it comes",
    async (_, toPlan) => {
      const broker = createBroker({ prefix: [] });
      onTestFinished(() => broker.close());
      const sleep = uniqueSleep();
      let left = rounds;
      const storm = async (): Promise<void> => {
        while (left-- > 0) {
          const launched = await broker.launch(toPlan(scatter(sleep)), { output: () => undefined });
          await wait(Math.random() * latestMs);
          launched.kill();
          const { survivors } = await launched.ended;
          expect(survivors).toEqual([]);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, storm));
      expect(findProcesses(sleep)).toEqual([]);
    },
    patienceMs,
  );

  it(
    "leaves nothing when the broker is killed instead",
    async () => {
      const sleep = uniqueSleep();
      for (let round = 0; round < rounds / 10; round++) {
        const broker = createBroker({ prefix: [] });
        const launched = await broker.launch(namespaced(scatter(sleep)), {
          output: () => undefined,
        });
        await wait(Math.random() * latestMs);
        broker.kill();
        await expect(launched.ended).rejects.toMatchObject({ code: "unavailable" });
        await untilGone(sleep);
      }
    },
    patienceMs,
  );
});

function namespaced(command: string): LaunchPlan {
  return {
    ...plainPlan(command),
    program: "/usr/bin/bwrap",
    args: [
      ...["--unshare-all", "--die-with-parent", "--info-fd", "3", "--block-fd", "4"],
      ...[
        "--ro-bind",
        "/",
        "/",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "--",
        "/bin/bash",
        "-c",
        command,
      ],
    ],
    descriptors: [{ role: "info" }, { role: "block" }],
    endsTogether: true,
  };
}

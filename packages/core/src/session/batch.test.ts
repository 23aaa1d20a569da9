import { createMemoryComputer } from "@haft/computer/memory";
import type { Tool } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { type Clock, systemClock } from "../clock.ts";
import { violations } from "../schema/schema-check.ts";
import { createHeldTool, type HeldCall } from "../test-support/held-tool.ts";
import { startSession } from "../test-support/start-session.ts";
import type { Session } from "./session.ts";

interface Request {
  readonly name: "read" | "write";
  readonly key: string;
}

const request: fc.Arbitrary<Request> = fc.record({
  name: fc.constantFrom("read", "read", "write"),
  key: fc.constantFrom("a", "b", "c"),
});

const flush = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function mayNotMeet(one: Request, other: Request): boolean {
  return one.key === other.key && (one.name === "write" || other.name === "write");
}

// The schema compiler is loaded when it is first needed, which would take longer than a flush.
beforeAll(async () => {
  await violations({ type: "object" }, {});
});

// However busy the machine is, starting the batch takes one turn of the event loop.
const still: Clock = { ...systemClock, monotonic: () => 0 };

describe("any batch", () => {
  it("keeps conflicting calls apart and in order, holds up no other, and answers in order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { minLength: 1, maxLength: 8 }),
        fc.infiniteStream(fc.nat()),
        async (requests, draws) => {
          const tools = [createHeldTool("read", "read"), createHeldTool("write", "write")];
          const session = startSession(createMemoryComputer(), tools, { clock: still });
          const batch = session.batch(
            requests.map(({ name, key }, index) => ({
              id: String(index),
              name,
              arguments: { key, index },
            })),
          );
          const ended = new Set<number>();
          while (ended.size < requests.length) {
            await flush();
            const started = new Map(
              tools.flatMap(({ calls }) => calls.map((call) => [indexOf(call), call] as const)),
            );
            for (const [index, own] of requests.entries()) {
              const inTheWay = requests.some(
                (other, at) => at < index && !ended.has(at) && mayNotMeet(own, other),
              );
              if (!ended.has(index)) expect(started.has(index)).toBe(!inTheWay);
            }
            const running = [...started.keys()].filter((index) => !ended.has(index));
            const drawn = running[(draws.next().value as number) % running.length] as number;
            started.get(drawn)?.finish(`result ${drawn}`);
            ended.add(drawn);
          }
          const outcomes = await batch;
          expect(outcomes.map(({ id, result }) => [id, "data" in result && result.data])).toEqual(
            requests.map((_, index) => [String(index), `result ${index}`]),
          );
        },
      ),
      { numRuns: 150 },
    );
  });
});

function indexOf(call: HeldCall): number {
  return (call.args as { index: number }).index;
}

describe("a batch that takes several turns of the event loop to start", () => {
  // Time flies: every look at the clock finds the turn used up.
  let elapsed = 0;
  const hasty: Clock = { ...systemClock, monotonic: () => (elapsed += 10) };

  function open(ran: string[]): Session {
    const touch = (id: string, mode: "read" | "write"): Tool =>
      new MockTool({
        name: id,
        requires: { fs: { read: ["**"], write: ["**"] } },
        execution: { resourceKeys: () => [{ key: "a", mode }] },
        output: () => ran.push(id),
      });
    const tools = [touch("look", "read"), touch("change", "write")];
    return startSession(createMemoryComputer(), tools, { clock: hasty });
  }

  it("stands as a whole before what comes after it", async () => {
    const ran: string[] = [];
    const session = open(ran);
    const batch = session.batch([{ name: "look" }, { name: "look" }, { name: "change" }]);
    await session.call({ name: "look" });
    await batch;
    expect(ran).toEqual(["look", "look", "change", "look"]);
  });

  it("is stopped as a whole", async () => {
    const ran: string[] = [];
    const session = open(ran);
    const batch = session.batch(Array.from({ length: 5 }, () => ({ name: "change" })));
    session.abort();
    const outcomes = await batch;
    const codes = outcomes.slice(1).map(({ result }) => result.metadata.error_code);
    expect(codes).toEqual(["cancelled", "cancelled", "cancelled", "cancelled"]);
    expect(ran.length).toBeLessThan(2);
  });
});

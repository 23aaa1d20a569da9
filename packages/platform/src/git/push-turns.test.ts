import { describe, expect, it } from "vitest";
import { createPushTurns } from "./push-turns.ts";

const limits = { maxAtOnce: 2, maxWaiting: 3, maxWaitMs: 60_000 };
const { signal } = new AbortController();

describe("turns of pushes", () => {
  it("let others go before an organization that has one", async () => {
    const turns = createPushTurns(limits);
    const order: string[] = [];
    const take = async (organization: string): Promise<void> => {
      const end = await turns.take(organization, signal);
      order.push(organization);
      await new Promise((resolve) => setImmediate(resolve));
      end();
    };
    await Promise.all(["a", "a", "a", "b", "c"].map(take));
    expect(order.slice(0, 2)).toEqual(["a", "a"]);
    expect(order.slice(2).toSorted()).toEqual(["a", "b", "c"]);
    expect(order[2]).toBe("b");
  });

  it("refuse pushes that would wait too long or behind too many", async () => {
    const turns = createPushTurns({ ...limits, maxWaitMs: 20 });
    const ends = [await turns.take("a", signal), await turns.take("a", signal)];
    const late = Array.from({ length: 4 }, () => turns.take("b", signal));
    for (const outcome of await Promise.allSettled(late)) {
      expect(outcome).toMatchObject({
        status: "rejected",
        reason: { status: 503, headers: { "retry-after": "10" } },
      });
    }
    for (const end of ends) end();
    expect(await turns.take("c", signal)).toBeTypeOf("function");
  });

  it("forget pushes of disconnected clients", async () => {
    const turns = createPushTurns({ ...limits, maxAtOnce: 1 });
    const end = await turns.take("a", signal);
    const gone = new AbortController();
    const left = turns.take("b", gone.signal);
    gone.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    const next = turns.take("c", signal);
    end();
    expect(await next).toBeTypeOf("function");
  });
});

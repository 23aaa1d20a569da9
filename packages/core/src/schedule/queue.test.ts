import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Subject } from "../rules/subject.ts";
import type { Footprint } from "./conflicts.ts";
import { CallQueue, type Queued } from "./queue.ts";

interface Item extends Queued {
  readonly index: number;
  /** What will be declared. */
  readonly touches: Footprint;
  state: "entered" | "waiting" | "running" | "ended";
}

const subject = fc.record({
  key: fc.constantFrom("/a", "/b", "/c"),
  mode: fc.constantFrom("read", "write"),
  type: fc.constant("file"),
  tree: fc.constant(false),
}) as fc.Arbitrary<Subject>;

const footprint = fc.record({
  tool: fc.constant("t"),
  serial: fc.integer({ min: 0, max: 9 }).map((draw) => draw === 0),
  subjects: fc.option(fc.array(subject, { maxLength: 2 }), { nil: undefined, freq: 9 }),
}) as fc.Arbitrary<Footprint>;

// Written down once more, apart from the code under test.
function mayNotMeet(a: Footprint, b: Footprint): boolean {
  if (a.serial || b.serial || a.subjects === undefined || b.subjects === undefined) return true;
  const second = b.subjects;
  return a.subjects.some((one) =>
    second.some((other) => one.key === other.key && [one.mode, other.mode].includes("write")),
  );
}

const flush = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A queue whose calls the test declares and ends at random. */
class Simulation {
  readonly queue = new CallQueue<Item>((path) => path);
  readonly items: readonly Item[];

  constructor(footprints: readonly Footprint[]) {
    this.items = footprints.map((touches, index) => {
      const item: Item = {
        index,
        touches,
        state: "entered",
        place: 0,
        footprint: undefined,
        waiters: undefined,
      };
      this.queue.enter(item);
      return item;
    });
  }

  async act(item: Item): Promise<void> {
    if (item.state === "entered") this.#declare(item);
    else if (item.state === "running") {
      item.state = "ended";
      this.queue.leave(item);
    }
    await flush();
  }

  /** Earlier calls in the way of one: those that conflict, or have not said what they touch. */
  inTheWayOf(item: Item): Item[] {
    return this.items.slice(0, item.index).filter((earlier) => {
      if (earlier.state === "ended") return false;
      return earlier.state === "entered" || mayNotMeet(earlier.touches, item.touches);
    });
  }

  #declare(item: Item): void {
    this.queue.declare(item, item.touches);
    const turn = this.queue.turnOf(item);
    item.state = turn === undefined ? "running" : "waiting";
    void turn?.then(() => {
      item.state = "running";
    });
  }
}

describe("CallQueue", () => {
  it("runs every call exactly when nothing earlier is in its way", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(footprint, { minLength: 1, maxLength: 7 }),
        fc.infiniteStream(fc.nat()),
        async (footprints, draws) => {
          const simulation = new Simulation(footprints);
          const { items } = simulation;
          for (;;) {
            const able = items.filter(({ state }) => state === "entered" || state === "running");
            const drawn = able[(draws.next().value as number) % able.length];
            if (drawn === undefined) break;
            await simulation.act(drawn);
            for (const item of items) {
              const blocked = simulation.inTheWayOf(item).length > 0;
              // Never beside or before an earlier call it conflicts with, never held up otherwise.
              if (item.state === "running") expect(blocked).toBe(false);
              if (item.state === "waiting") expect(blocked).toBe(true);
            }
          }
          expect(items.map(({ state }) => state)).toEqual(items.map(() => "ended"));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("does not delay others after a call that leaves before it declares what it touches", async () => {
    const { queue, items } = new Simulation([
      { tool: "t", serial: true, subjects: [] },
      { tool: "t", serial: false, subjects: [] },
    ]);
    const [first, second] = items as [Item, Item];
    queue.declare(second, second.touches);
    const turn = queue.turnOf(second);
    expect(turn).toBeInstanceOf(Promise);
    queue.leave(first);
    await turn;
  });

  it("is idle when all have left, also those who came while it was waited for", async () => {
    const simulation = new Simulation([{ tool: "t", serial: false, subjects: [] }]);
    const { queue, items } = simulation;
    let idle = false;
    const waiting = queue.idle().then(() => {
      idle = true;
    });
    const late: Item = { ...(items[0] as Item), index: 1 };
    queue.enter(late);
    queue.leave(items[0] as Item);
    await flush();
    expect(idle).toBe(false);
    queue.leave(late);
    await waiting;
    expect([...queue.items()]).toEqual([]);
  });
});

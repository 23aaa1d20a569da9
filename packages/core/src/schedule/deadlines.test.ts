import { describe, expect, it } from "vitest";
import { createManualClock } from "../test-support/manual-clock.ts";
import { Deadlines, deadlinesOf, type Limited } from "./deadlines.ts";

function setUp() {
  const clock = createManualClock();
  const deadlines = new Deadlines(clock);
  const expired: string[] = [];
  const start = (name: string, milliseconds: number): Limited => {
    const limited = {
      expiresAt: clock.monotonic() + milliseconds,
      expire: () => expired.push(`${name} at ${clock.monotonic()}`),
    };
    deadlines.start(limited);
    return limited;
  };
  return { clock, deadlines, expired, start };
}

describe("Deadlines", () => {
  it("expires each at its time, once", () => {
    const { clock, expired, start } = setUp();
    start("late", 300);
    start("early", 100);
    start("middle", 200);
    clock.advance(99);
    expect(expired).toEqual([]);
    clock.advance(1_000);
    expect(expired).toEqual(["early at 100", "middle at 200", "late at 300"]);
  });

  it("does not expire what was stopped", () => {
    const { clock, deadlines, expired, start } = setUp();
    const stopped = start("stopped", 100);
    start("kept", 100);
    deadlines.stop(stopped);
    clock.advance(1_000);
    expect(expired).toEqual(["kept at 100"]);
  });

  it("gives what was extended its new time", () => {
    const { clock, expired, start } = setUp();
    const limited = start("slow", 100);
    for (let time = 0; time < 5; time++) {
      clock.advance(90);
      limited.expiresAt = clock.monotonic() + 100;
    }
    expect(expired).toEqual([]);
    clock.advance(100);
    expect(expired).toEqual(["slow at 550"]);
  });

  it("needs one timer for all of them", () => {
    const { clock, expired, start } = setUp();
    for (let index = 0; index < 1_000; index++) start(`${index}`, 100 + (index % 7));
    expect(clock.pending()).toBe(1);
    clock.advance(106);
    expect(expired).toHaveLength(1_000);
    expect(clock.pending()).toBe(0);
  });

  it("keeps the process alive only while something runs", () => {
    const { clock, deadlines, start } = setUp();
    const first = start("first", 100);
    const second = start("second", 200);
    expect(clock.held()).toBe(1);
    deadlines.stop(first);
    expect(clock.held()).toBe(1);
    deadlines.stop(second);
    expect(clock.held()).toBe(0);
    start("third", 100);
    expect(clock.held()).toBe(1);
  });

  it("continues after an early timer", () => {
    const { clock, deadlines, expired, start } = setUp();
    deadlines.stop(start("gone", 100));
    clock.advance(100);
    start("next", 100);
    clock.advance(100);
    expect(expired).toEqual(["next at 200"]);
  });

  it("does not expire what the expiry of another stopped", () => {
    const { clock, deadlines, expired, start } = setUp();
    const first = { expiresAt: 100, expire: () => deadlines.stop(second) };
    deadlines.start(first);
    const second = start("second", 100);
    clock.advance(200);
    expect(expired).toEqual([]);
  });

  it("handles a deadline that is started while another expires", () => {
    const { clock, deadlines, expired } = setUp();
    const inner = { expiresAt: 150, expire: () => expired.push("inner") };
    deadlines.start({ expiresAt: 100, expire: () => deadlines.start(inner) });
    clock.advance(200);
    expect(expired).toEqual(["inner"]);
  });

  it("is one for all sessions on a clock", () => {
    const clock = createManualClock();
    expect(deadlinesOf(clock)).toBe(deadlinesOf(clock));
    expect(deadlinesOf(clock)).not.toBe(deadlinesOf(createManualClock()));
  });
});

import { describe, expect, it } from "vitest";
import { createChildQueue } from "./child-queue.ts";

const never = new AbortController().signal;

async function isIn(entering: Promise<void>): Promise<boolean> {
  const later = new Promise<boolean>((resolve) => setImmediate(resolve, false));
  return Promise.race([entering.then(() => true), later]);
}

describe("a line", () => {
  it("runs up to maxRunning at once, and the others in order", async () => {
    const line = createChildQueue({ maxRunning: 1, maxTotal: 10 });
    const [first, second, third] = [line.join(), line.join(), line.join()];
    expect(await isIn(first?.enter(never) ?? Promise.reject())).toBe(true);
    const two = second?.enter(never) ?? Promise.reject();
    const three = third?.enter(never) ?? Promise.reject();
    expect(await isIn(two)).toBe(false);
    first?.leave();
    first?.leave();
    expect(await isIn(two)).toBe(true);
    expect(await isIn(three)).toBe(false);
    second?.leave();
    expect(await isIn(three)).toBe(true);
    third?.leave();
    expect(line.isEmpty).toBe(true);
  });

  it("drops a waiter that is aborted", async () => {
    const line = createChildQueue({ maxRunning: 1, maxTotal: 10 });
    const [first, second, third] = [line.join(), line.join(), line.join()];
    await first?.enter(never);
    const aborter = new AbortController();
    const two = second?.enter(aborter.signal);
    aborter.abort(new Error("No more."));
    await expect(two).rejects.toThrow("No more.");
    await expect(second?.enter(aborter.signal)).rejects.toThrow("No more.");
    second?.leave();
    const three = third?.enter(never) ?? Promise.reject();
    expect(await isIn(three)).toBe(false);
    first?.leave();
    expect(await isIn(three)).toBe(true);
  });

  it("is limited in length", () => {
    const line = createChildQueue({ maxRunning: 1, maxTotal: 2 });
    const first = line.join();
    line.join();
    expect(line.join()).toBeUndefined();
    first?.leave();
    expect(line.join()).toBeDefined();
  });
});

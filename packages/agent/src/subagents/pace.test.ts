import { expect, it } from "vitest";
import { createPace } from "./pace.ts";

it("those who wait go on one by one, and others go between them", async () => {
  const pace = createPace();
  const order: string[] = [];
  const children = ["a", "b", "c"].map(async (name) => {
    await pace();
    order.push(name);
    // Whoever does not wait for their turn has it before the next child.
    setImmediate(() => order.push("parent"));
  });
  await Promise.all(children);
  await pace();
  expect(order.filter((name) => name !== "parent")).toEqual(["a", "b", "c"]);
  expect(order.indexOf("parent")).toBeLessThan(order.indexOf("c"));
});

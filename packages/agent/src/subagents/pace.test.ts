import { expect, it } from "vitest";
import { createPace } from "./pace.ts";

it("resumes waiting children one by one, with other work in between", async () => {
  const pace = createPace();
  const order: string[] = [];
  const children = ["a", "b", "c"].map(async (name) => {
    await pace();
    order.push(name);
    // Work that does not wait for the pace runs before the next child.
    setImmediate(() => order.push("parent"));
  });
  await Promise.all(children);
  await pace();
  expect(order.filter((name) => name !== "parent")).toEqual(["a", "b", "c"]);
  expect(order.indexOf("parent")).toBeLessThan(order.indexOf("c"));
});

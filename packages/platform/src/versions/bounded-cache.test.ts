import { expect, it } from "vitest";
import { createBoundedCache } from "./bounded-cache.ts";

it("keeps what was used last, as much as fits", () => {
  const cache = createBoundedCache<string>(10);
  cache.set("a", "A", 4);
  cache.set("b", "B", 4);
  expect(cache.get("a")).toBe("A");
  cache.set("c", "C", 4);
  expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual(["A", undefined, "C"]);
});

it("counts a value that is set again once", () => {
  const cache = createBoundedCache<string>(10);
  for (let at = 0; at < 10; at += 1) cache.set("a", `${at}`, 6);
  cache.set("b", "B", 4);
  expect([cache.get("a"), cache.get("b")]).toEqual(["9", "B"]);
});

it("does not keep what is larger than all it may keep, nor what that replaces", () => {
  const cache = createBoundedCache<string>(10);
  cache.set("a", "A", 5);
  cache.set("b", "B", 5);
  cache.set("b", "BB", 11);
  expect([cache.get("a"), cache.get("b")]).toEqual(["A", undefined]);
});

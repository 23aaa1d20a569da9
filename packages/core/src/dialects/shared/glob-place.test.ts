import { describe, expect, it } from "vitest";
import { toGlobPlace } from "./glob-place.ts";

describe("toGlobPlace", () => {
  it.each([
    ["src/*.ts", undefined, { pattern: "src/*.ts" }],
    ["*.ts", "src", { pattern: "*.ts", path: "src" }],
    ["/w/src/**/*.ts", "ignored", { pattern: "**/*.ts", path: "/w/src" }],
    ["/w/a.{js,ts}", undefined, { pattern: "a.{js,ts}", path: "/w" }],
    ["/w/a.ts", undefined, { pattern: "a.ts", path: "/w" }],
    ["/w/", undefined, { pattern: "*", path: "/w" }],
    ["/*", undefined, { pattern: "*", path: "/" }],
  ])("makes %s below %s %j", (pattern, path, place) => {
    expect(toGlobPlace(pattern, path)).toEqual(place);
  });
});

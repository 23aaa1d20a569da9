import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";
import { findLanding } from "./landing.ts";
import { procPinning } from "./proc-pinning.ts";

describe("findLanding", () => {
  it("follows what exists and keeps the rest", () => {
    const base = makeTemporaryDirectory();
    mkdirSync(join(base, "real/deep"), { recursive: true });
    symlinkSync("real", join(base, "link"));
    symlinkSync("link/deep", join(base, "second"));
    expect(findLanding(join(base, "second"))).toBe(join(base, "real/deep"));
    expect(findLanding(join(base, "second/new/file"))).toBe(join(base, "real/deep/new/file"));
    expect(findLanding(join(base, "none/at/all"))).toBe(join(base, "none/at/all"));
  });

  it("follows a dangling link, relative and absolute", () => {
    const base = makeTemporaryDirectory();
    symlinkSync("../elsewhere/file", join(base, "relative"));
    symlinkSync("/no/such/place", join(base, "absolute"));
    expect(findLanding(join(base, "relative"))).toBe(join(base, "../elsewhere/file"));
    expect(findLanding(join(base, "absolute/x"))).toBe("/no/such/place/x");
  });

  it("goes up from where a link led, not from its name", () => {
    const base = makeTemporaryDirectory();
    mkdirSync(join(base, "a/b"), { recursive: true });
    symlinkSync("a/b", join(base, "link"));
    symlinkSync("link/../missing", join(base, "up"));
    expect(findLanding(join(base, "up"))).toBe(join(base, "a/missing"));
  });

  it("ends in a circle", () => {
    const base = makeTemporaryDirectory();
    symlinkSync("two", join(base, "one"));
    symlinkSync("one", join(base, "two"));
    expect(findLanding(join(base, "one/x")).startsWith(base)).toBe(true);
  });

  it("agrees with the kernel on every tree of links", () => {
    const name = fc.constantFrom("a", "b", "c");
    const target = fc.array(fc.constantFrom("..", ".", "a", "b", "c"), {
      minLength: 1,
      maxLength: 4,
    });
    const links = fc.array(fc.tuple(fc.array(name, { minLength: 1, maxLength: 2 }), target), {
      maxLength: 6,
    });
    const path = fc.array(name, { minLength: 1, maxLength: 4 });
    const base = makeTemporaryDirectory();
    let round = 0;
    fc.assert(
      fc.property(links, path, (made, asked) => {
        const root = join(base, String(round++), "x");
        mkdirSync(join(root, "a/b"), { recursive: true });
        writeFileSync(join(root, "a/b/c"), "");
        for (const [at, to] of made) {
          try {
            symlinkSync(to.join("/"), join(root, ...at));
          } catch {
            // There is something already, or nothing to put it in.
          }
        }
        const full = join(root, ...asked);
        let landed: string;
        try {
          const pin = procPinning.pin(full);
          landed = pin.landing;
          pin.close();
        } catch {
          return;
        }
        expect(findLanding(full)).toBe(landed);
      }),
      { numRuns: 200 },
    );
  });
});

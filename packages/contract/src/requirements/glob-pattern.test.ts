import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileGlob, countLiterals, escapeGlob } from "./glob-pattern.ts";

describe("compileGlob", () => {
  it.each<[string, string[], string[]]>([
    ["/w/a", ["/w/a"], ["/w/ab", "/w/a/b", "/w", "w/a"]],
    ["/w/**", ["/w", "/w/a", "/w/a/b", "/w/.git/x"], ["/w-evil", "/w-evil/a", "/", "/x/w/a"]],
    ["/**", ["/", "/a", "/a/b"], ["a"]],
    ["/w/*", ["/w/a", "/w/.env", "/w/"], ["/w", "/w/a/b"]],
    ["/w/*.ts", ["/w/a.ts", "/w/.ts"], ["/w/a.tsx", "/w/b/a.ts"]],
    ["/w/**/*.ts", ["/w/a.ts", "/w/b/a.ts", "/w/b/c/a.ts"], ["/w.ts", "/w/a.js", "/wb/a.ts"]],
    ["/w/**/test/**", ["/w/test", "/w/a/test/b", "/w/test/b"], ["/w/atest/b", "/w/test-evil"]],
    ["/w/**/**", ["/w", "/w/a/b"], ["/wa"]],
    ["/w/**/**/a", ["/w/a", "/w/b/c/a"], ["/w/ba"]],
    ["**", ["/a/b", "a", ""], []],
    ["**/a", ["a", "b/a", "b/c/a"], ["ba", "b/ba"]],
    ["/a**b", ["/ab", "/a/x/b", "/axb"], ["/a/bc"]],
    ["/w/?", ["/w/a", "/w/😀"], ["/w/", "/w/ab", "/w//"]],
    ["/w/[a-c]", ["/w/a", "/w/c"], ["/w/d", "/w/", "/w/ab"]],
    ["/w/[!a-c]", ["/w/d", "/w/-"], ["/w/a", "/w//"]],
    ["/w/[^a]", ["/w/b"], ["/w/a"]],
    ["/w/[]a]", ["/w/]", "/w/a"], ["/w/b"]],
    ["/w/[!]a]", ["/w/b"], ["/w/]", "/w/a"]],
    ["/w/[&~|^$.]", ["/w/&", "/w/~", "/w/|", "/w/^", "/w/$", "/w/."], ["/w/a"]],
    ["/w/[\\]x]", ["/w/]", "/w/x"], ["/w/\\"]],
    ["/w/[a\\-c]", ["/w/a", "/w/-", "/w/c"], ["/w/b"]],
    ["/w/[a-]", ["/w/a", "/w/-"], ["/w/b"]],
    ["/w/[😀-😂]", ["/w/😁"], ["/w/😃", "/w/\ud83d"]],
    ["/w/[!/]x", ["/w/ax"], ["/w//x"]],
    ["/w/[a", ["/w/[a"], ["/w/a"]],
    ["/w/{a,b}/*.ts", ["/w/a/x.ts", "/w/b/x.ts"], ["/w/c/x.ts", "/w/a,b/x.ts"]],
    ["/w/{a,b/**}", ["/w/a", "/w/b", "/w/b/c"], ["/w/a/c"]],
    ["/w/{a", ["/w/{a"], ["/w/a"]],
    ["/w/\\*", ["/w/*"], ["/w/a", "/w/\\*"]],
    ["/w/\\{a\\}/**", ["/w/{a}", "/w/{a}/b"], ["/w/a/b"]],
    ["/w/a\\", ["/w/a\\"], ["/w/a"]],
    ["/w/a.b+(c)$", ["/w/a.b+(c)$"], ["/w/aXb+(c)$"]],
    ["/w/\n*", ["/w/\n", "/w/\nx\ny"], ["/w/x"]],
    ["", [""], ["a"]],
  ])("compiles %j", (pattern, fitting, others) => {
    const matches = compileGlob(pattern);
    expect(fitting.filter((path) => !matches(path))).toEqual([]);
    expect(others.filter(matches)).toEqual([]);
  });

  it("refuses a class whose range runs backward", () => {
    expect(() => compileGlob("/w/[z-a]")).toThrow(/\[z-a\].*reversed/u);
  });

  it("fits exactly what an escaped text is", () => {
    fc.assert(
      fc.property(names, names, (text, other) => {
        const matches = compileGlob(escapeGlob(text));
        expect(matches(text)).toBe(true);
        expect(matches(other)).toBe(other === text);
      }),
    );
  });

  it("never lets a star cross a slash", () => {
    fc.assert(
      fc.property(names, names, (head, tail) => {
        const matches = compileGlob(`${escapeGlob(head)}*`);
        expect(matches(`${head}${tail}`)).toBe(!tail.includes("/"));
      }),
    );
  });

  it("fits with a tree the root and all below it, and no neighbour", () => {
    fc.assert(
      fc.property(names, names, (root, tail) => {
        const matches = compileGlob(`/${escapeGlob(root)}/**`);
        expect(matches(`/${root}`)).toBe(true);
        expect(matches(`/${root}/${tail}`)).toBe(true);
        expect(matches(`/${root}-${tail}`)).toBe(false);
      }),
    );
  });

  it("agrees with a regular expression on every pattern", () => {
    fc.assert(
      fc.property(patterns, fc.array(paths, { minLength: 8, maxLength: 8 }), (parts, samples) => {
        const matches = compileGlob(parts.map((part) => part.glob).join(""));
        const expression = new RegExp(`^${parts.map((part) => part.regexp).join("")}$`, "su");
        for (const path of samples) expect(matches(path)).toBe(expression.test(path));
      }),
      { numRuns: 5_000 },
    );
  });

  it("answers at once where a regular expression would try for ages", () => {
    expect(compileGlob(`/${"a*".repeat(40)}b`)(`/${"a".repeat(255)}`)).toBe(false);
    expect(compileGlob(`/${"**/a*a/".repeat(20)}b`)(`/${"aa/".repeat(300)}`)).toBe(false);
  });
});

describe("countLiterals", () => {
  it.each<[string, number]>([
    ["*", 0],
    ["src/**", 4],
    ["src/*.ts", 7],
    ["{a,b}/x", 2],
    ["[a-z]x", 1],
    ["\\*\\[x\\]", 4],
  ])("counts what stands for itself in %s", (pattern, count) => {
    expect(countLiterals(pattern)).toBe(count);
  });

  it("is not delayed by classes that never end", () => {
    expect(countLiterals(`${"[".repeat(200_000)}`)).toBe(8_192);
  });
});

// A small alphabet with every character that means something, so that collisions are frequent.
const names = fc.string({
  unit: fc.constantFrom(
    "a",
    "b",
    "/",
    ".",
    "*",
    "?",
    "[",
    "]",
    "{",
    "}",
    ",",
    "\\",
    "!",
    "-",
    "😀",
  ),
  maxLength: 8,
});
// Normalised, as matchers may expect: no component is empty.
const paths = fc
  .string({ unit: fc.constantFrom("a", "b", "/", "😀"), maxLength: 10 })
  .map((path) => path.replace(/\/+/gu, "/"));
// None ends with a star, so that no two stars meet and become another wildcard.
const patterns = fc.array(
  fc.constantFrom(
    { glob: "a", regexp: "a" },
    { glob: "/b", regexp: "/b" },
    { glob: "?", regexp: "[^/]" },
    { glob: "*b", regexp: "[^/]*b" },
    { glob: "*a", regexp: "[^/]*a" },
    { glob: "/**/a", regexp: "/(?:[^/]+/)*a" },
    { glob: "/**/?", regexp: "/(?:[^/]+/)*[^/]" },
    { glob: "/*/", regexp: "/[^/]*/" },
    { glob: "**b", regexp: ".*b" },
    { glob: "[!a]", regexp: "[^a/]" },
    { glob: "[a😀]", regexp: "[a😀]" },
    { glob: "{a,b/}", regexp: "(?:a|b/)" },
    { glob: "{,*b}", regexp: "(?:|[^/]*b)" },
  ),
  { maxLength: 5 },
);

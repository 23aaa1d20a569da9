import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { base64, fakeToken } from "../test-support/fake-token.ts";
import { createSecrets } from "./secrets.ts";

const spaced = "correct horse\nbattery staple";
const secrets = createSecrets({
  PHRASE: spaced,
  REPEATED: "ababab",
  OTHER: "babababa c",
  LONG: fakeToken(3000),
});
const line = (seed: number): string => fakeToken(64, base64, seed);
const keyHead = "-----BEGIN EC PRIVATE KEY-----";
const keyFoot = "-----END EC PRIVATE KEY-----";

function filter(parts: readonly string[]): string {
  const stream = secrets.createFilter();
  return parts.map((part) => stream.write(part)).join("") + stream.end();
}

const pieces = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      " ",
      "\n",
      "\r\n",
      "x",
      "-",
      ".",
      '"',
      "word",
      "= ",
      ":",
      "\\n",
      "\\",
      "12: ",
    ),
  },
  fc.string({ unit: fc.constantFrom("a", "b", " ", "c"), maxLength: 30 }),
  fc.constantFrom(
    spaced,
    spaced.slice(0, 15),
    encodeURIComponent(spaced),
    fakeToken(3000),
    fakeToken(3000).slice(0, 1500),
    "babababa c",
    `ghp_${fakeToken(36)}`,
    `ghp_${fakeToken(20)}`,
    `ghp_${fakeToken(300)}`,
    "https://user:",
    "s3cr3t@host/",
    "Authorization: Bearer ",
    "Basic ",
    btoa("aladdin:open sesame"),
    "API_TOKEN",
    fakeToken(32),
    `eyJ${fakeToken(30)}.`,
    `AKIA${fakeToken(16, "ABCDEFGHIJKLMNOP")}`,
    fakeToken(40, base64),
    `${keyHead}\n`,
    keyHead.slice(0, 12),
    keyHead.slice(12),
    "Proc-Type: 4,ENCRYPTED\n",
    `${line(1)}\n`,
    `  ${line(2)}\n`,
    line(3),
    "shortline==\n",
    `${line(4)}\n`.repeat(150),
    line(5).repeat(300),
    keyFoot,
    "-----EN",
  ),
);

describe("the filter for parts", () => {
  it("shows what hiding in the whole shows, however the parts fall", () => {
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 30 }),
        fc.boolean(),
        (texts, sizes, isFine) => {
          const whole = texts.join("");
          const parts: string[] = [];
          let at = 0;
          for (const size of sizes) {
            parts.push(whole.slice(at, at + (isFine ? size % 7 : size)));
            at += isFine ? size % 7 : size;
          }
          parts.push(whole.slice(at));
          expect(filter(parts)).toBe(secrets.hide(whole));
          expect(filter(texts)).toBe(secrets.hide(whole));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("shows at once what can't be the start of a secret", () => {
    const stream = secrets.createFilter();
    expect(stream.write("one line\nand a half ")).toBe("one line\nand a half ");
    expect(stream.write("word")).toBe("");
    expect(stream.write(" ")).toBe("word ");
    expect(stream.write("correct ")).toBe("");
    expect(stream.write("hor")).toBe("");
    expect(stream.write("ns ")).toBe("correct horns ");
  });

  it("keeps a secret that comes letter by letter", () => {
    const token = `ghp_${fakeToken(36)}`;
    expect(filter([...`a ${token} b`])).toBe(secrets.hide(`a ${token} b`));
    expect(filter([...`a ${token} b`])).not.toContain(token.slice(4, 12));
  });

  it("never shows the body of a key, however long, and holds only a part of it", () => {
    const stream = secrets.createFilter();
    let shown = stream.write(`${keyHead}\n`);
    let written = 0;
    for (let count = 0; count < 5000; count++) {
      written += 65;
      shown += stream.write(`${line(count)}\n`);
    }
    expect(written).toBeGreaterThan(300_000);
    expect(shown).toMatch(/^-----BEGIN EC PRIVATE KEY-----\n\[secret:private-key:\w{6}\]$/u);
    shown += stream.write(`${keyFoot}\nlater `);
    expect(shown.endsWith(`]\n${keyFoot}\nlater `)).toBe(true);
    expect(stream.end()).toBe("");
  });

  it("holds no more than a few kilobytes of an endless word", () => {
    const stream = secrets.createFilter();
    let shown = 0;
    for (let count = 0; count < 100; count++) shown += stream.write("x/".repeat(5000)).length;
    expect(1_000_000 - shown).toBeLessThan(20_000);
    expect(shown + stream.end().length).toBe(1_000_000);
  });

  it("turns a token of any length into one placeholder", () => {
    const stream = secrets.createFilter();
    let shown = stream.write(`ghp_${fakeToken(36)}`);
    for (let count = 0; count < 50; count++) shown += stream.write("a1".repeat(2000));
    expect(shown + stream.write(" and ") + stream.end()).toMatch(
      /^\[secret:github-token:\w{6}\] and $/u,
    );
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fakeToken } from "../test-support/fake-token.ts";
import { createSecrets } from "./secrets.ts";

const token = `ghp_${fakeToken(36)}`;
const secrets = createSecrets({ API_KEY: "k3y-0f-the-house" });
const shown = secrets.hide(token);
const file = "/w/a.ts";
const from = [{ key: file, tree: false }];

describe("hiding in data", () => {
  it("leaves data without secrets as it is", () => {
    const data = { a: ["text", { b: 5, c: null, d: true }], e: "word" };
    expect(secrets.hideInData(data)).toBe(data);
  });

  it("copies only what changes", () => {
    const data = { same: { a: "x" }, list: [{ text: `t ${token}` }, { text: "y" }] };
    const hidden = secrets.hideInData(data);
    expect(hidden).toEqual({ same: { a: "x" }, list: [{ text: `t ${shown}` }, { text: "y" }] });
    expect(hidden.same).toBe(data.same);
    expect(hidden.list[1]).toBe(data.list[1]);
    expect(data.list[0]?.text).toContain(token);
  });

  it("looks at names too, and keeps the order", () => {
    const data = { a: 1, [token]: 2, c: token };
    expect(Object.entries(secrets.hideInData(data))).toEqual([
      ["a", 1],
      [shown, 2],
      ["c", shown],
    ]);
  });

  it("does not touch the bytes of pictures", () => {
    const image = { type: "image", media_type: "image/png", data: token };
    expect(secrets.hideInData({ content: [image] })).toEqual({ content: [image] });
    expect(secrets.hideInData({ ...image, path: token })).toEqual({ ...image, path: shown });
    expect(secrets.hideInData({ type: "file", data: token })).toEqual({
      type: "file",
      data: shown,
    });
  });

  it("gives equal secrets equal placeholders, and others others", () => {
    const other = `ghp_${fakeToken(36, undefined, 99)}`;
    expect(secrets.hide(`${token} ${token}`)).toBe(`${shown} ${shown}`);
    expect(createSecrets({}).hide(token)).toBe(shown);
    expect(secrets.hide(other)).not.toBe(shown);
  });

  it("gives a password that could be guessed no mark that others can work out", () => {
    const url = "https://user:hunter22@host";
    expect(secrets.hide(url)).toBe(secrets.hide(url));
    const marks = Array.from({ length: 5 }, () => createSecrets({}).hide(url));
    expect(new Set(marks).size).toBeGreaterThan(1);
  });

  it("finds nothing more in what it made", () => {
    const text = `API_TOKEN=${fakeToken(32)} https://u:passw0rd1@h ${token} k3y-0f-the-house Bearer ${fakeToken(30)}`;
    const once = secrets.hide(text);
    expect(secrets.hide(once)).toBe(once);
  });

  it("takes any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        expect(typeof secrets.hide(text)).toBe("string");
      }),
    );
  });
});

describe("putting secrets back", () => {
  it("does so where they were read", () => {
    const read = secrets.hideInData({ content: `const t = "${token}"; // k3y-0f-the-house` }, from);
    expect(secrets.restore({ old: read.content, n: 1 }, () => [file])).toEqual({
      old: `const t = "${token}"; // k3y-0f-the-house`,
      n: 1,
    });
  });

  it("leaves arguments without placeholders as they are", () => {
    const data = { a: "[secret] [secret:" };
    expect(secrets.restore(data, () => [file])).toBe(data);
  });

  it("does so below a directory that was searched", () => {
    const searched = createSecrets({});
    searched.hideInData([token], [{ key: "/w/src", tree: true }]);
    expect(searched.restore(shown, () => ["/w/src/deep/a.ts"])).toBe(token);
    expect(() => searched.restore(shown, () => ["/w/src-evil/a.ts"])).toThrow("can't be put back");
  });

  it("refuses to carry a secret to another file", () => {
    expect(() =>
      secrets.restore({ content: `x ${shown}` }, () => ["/w/public/index.html"]),
    ).toThrow(
      `${shown} stands for a secret that is hidden from you, and it was not seen in /w/public/index.html by this session, so it can't be put back.`,
    );
  });

  it("refuses what it never handed out, and what it showed from no file", () => {
    const fresh = createSecrets({ API_KEY: "k3y-0f-the-house" });
    expect(() => fresh.restore("[secret:API_KEY]", () => [file])).toThrow(
      "[secret:API_KEY] stands for",
    );
    fresh.hide("k3y-0f-the-house");
    expect(() => fresh.restore("[secret:API_KEY]", () => [file])).toThrow(
      expect.objectContaining({ code: "conflict" }),
    );
  });

  it("lets placeholders stand that a file itself holds", () => {
    const own = createSecrets({});
    const text = "Placeholders look like [secret:NAME] or [secret:jwt:0a1b2c].";
    expect(own.hideInData(text, from)).toBe(text);
    expect(own.restore(text, () => [file])).toBe(text);
    expect(() => own.restore(text, () => ["/w/other"])).toThrow("[secret:NAME]");
  });

  it("refuses a placeholder that stands for two things", () => {
    const own = createSecrets({});
    own.hideInData([`${shown} and ${token}`], from);
    expect(() => own.restore(shown, () => [file])).toThrow("stands for more than one text");
  });

  it("does not put back a key that was shown with line numbers", () => {
    const own = createSecrets({});
    const key = (prefix: string): string =>
      `-----BEGIN PRIVATE KEY-----\n${prefix}${fakeToken(64)}\n${prefix}${fakeToken(64, undefined, 9)}\n-----END PRIVATE KEY-----`;
    const plain = own.hideInData(key(""), from);
    expect(own.restore(plain, () => [file])).toBe(key(""));
    const numbered = own.hideInData(key("7: "), from);
    expect(() => own.restore(numbered, () => [file])).toThrow("can't be put back");
  });

  it("forgets the oldest of very many", () => {
    const own = createSecrets({});
    own.hideInData(token, from);
    for (let seed = 100; seed < 1200; seed++) {
      own.hideInData(`npm_${fakeToken(36, undefined, seed)}`, from);
    }
    expect(() => own.restore(shown, () => [file])).toThrow("can't be put back");
    const last = `npm_${fakeToken(36, undefined, 1199)}`;
    expect(own.restore(own.hide(last), () => [file])).toBe(last);
  });
});

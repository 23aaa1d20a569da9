import { describe, expect, it } from "vitest";
import { base64, fakeToken } from "../test-support/fake-token.ts";
import { createSecrets } from "./secrets.ts";

const { hide } = createSecrets({});
const lines = [fakeToken(64, base64, 1), fakeToken(64, base64, 2), `${fakeToken(18, base64, 3)}==`];
const head = "-----BEGIN RSA PRIVATE KEY-----";
const foot = "-----END RSA PRIVATE KEY-----";
const placeholder = "[secret:private-key:xxxxxx]";
const strip = (text: string): string =>
  text.replaceAll(/private-key:\w{6}/gu, "private-key:xxxxxx");

describe("private keys", () => {
  it.each([
    ["as it is", `${head}\n${lines.join("\n")}\n${foot}\n`, `${head}\n${placeholder}\n${foot}\n`],
    [
      "with other line ends",
      `${head}\r\n${lines.join("\r\n")}\r\n${foot}`,
      `${head}\r\n${placeholder}\r\n${foot}`,
    ],
    [
      "in JSON",
      JSON.stringify(`${head}\n${lines.join("\n")}\n${foot}`),
      `"${head}\\n${placeholder}\\n${foot}"`,
    ],
    [
      "in YAML",
      `key: |\n  ${head}\n  ${lines.join("\n  ")}\n  ${foot}`,
      `key: |\n  ${head}\n  ${placeholder}\n  ${foot}`,
    ],
    [
      "in source",
      `"${head}\\n" +\n  "${lines.join('\\n" +\n  "')}\\n" +\n  "${foot}"`,
      `"${head}\\n" +\n  "${placeholder}\\n" +\n  "${foot}"`,
    ],
    [
      "with numbered lines",
      `1: ${head}\n2: ${lines[0]}\n3: ${lines[1]}\n4: ${lines[2]}\n5: ${foot}`,
      `1: ${head}\n2: ${placeholder}\n5: ${foot}`,
    ],
    [
      "with columns of numbers",
      `     1\t${head}\n     2\t${lines[0]}\n     3\t${lines[2]}\n     4\t${foot}`,
      `     1\t${head}\n     2\t${placeholder}\n     4\t${foot}`,
    ],
    ["on one line", `${head} ${lines.join(" ")} ${foot}`, `${head} ${placeholder} ${foot}`],
    [
      "encrypted",
      `${head}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF\n\n${lines.join("\n")}\n${foot}`,
      `${head}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF\n\n${placeholder}\n${foot}`,
    ],
    [
      "without its end",
      `${head}\n${lines.join("\n")}\nand then`,
      `${head}\n${placeholder}\nand then`,
    ],
    ["cut off", `${head}\n${lines[0]}\n${lines[1]?.slice(0, 20)}`, `${head}\n${placeholder}`],
    [
      "very long",
      `${head}\n${`${lines[0]}\n`.repeat(1000)}${foot}`,
      `${head}\n${placeholder}\n${foot}`,
    ],
    [
      "one without a kind",
      `-----BEGIN PRIVATE KEY-----\n${lines[0]}\n`,
      `-----BEGIN PRIVATE KEY-----\n${placeholder}\n`,
    ],
    [
      "one for PGP",
      `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n${lines[0]}\n=AbCd\n-----END`,
      `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n${placeholder}\n-----END`,
    ],
  ])("lose their body %s", (_, text, shown) => {
    expect(strip(hide(text))).toBe(shown);
  });

  it("are told apart also where they begin alike", () => {
    const long = `${lines[0]}\n`.repeat(50);
    const one = hide(`${head}\n${long}${lines[1]}\n${foot}`);
    const other = hide(`${head}\n${long}${lines[2]}\n${foot}`);
    expect(one).not.toBe(other);
    expect(hide(`${head}\n${long}${lines[1]}\n${foot}`)).toBe(one);
  });

  it.each([
    `if (text.startsWith("${head}")) {\n  const found = readTheWholeThing(text);\n}`,
    `${head}\n...\n${foot}`,
    `const pem = "${head}\\n" + body + "\\n${foot}";`,
    `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----`,
    `-----BEGIN PUBLIC KEY-----\n${lines.join("\n")}\n-----END PUBLIC KEY-----`,
    `${lines.join("\n")}\n${foot}`,
    head,
  ])("are not seen in %j", (text) => {
    expect(hide(text)).toBe(text);
  });
});

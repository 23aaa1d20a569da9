import { describe, expect, it } from "vitest";
import { createSecrets } from "./secrets.ts";

const value = 'pa$$/w"rd+ö 1';
const { hide, hideKnown, namesIn } = createSecrets({ DB_PASSWORD: value });
const bytes = new TextEncoder().encode(value);
const binary = String.fromCharCode(...bytes);
const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

describe("known values", () => {
  it("are shown as their name", () => {
    expect(hide(`${value}, twice: ${value}`)).toBe(
      "[secret:DB_PASSWORD], twice: [secret:DB_PASSWORD]",
    );
  });

  it.each([
    ["JSON", JSON.stringify(value)],
    ["a URL", encodeURIComponent(value)],
    ["a URL, in small letters", encodeURIComponent(value).toLowerCase()],
    ["a form", new URLSearchParams({ value }).toString().slice("value=".length)],
    ["base64", btoa(binary)],
    ["base64 with a name before it", btoa(`user:${binary}`)],
    ["base64 with more before it", btoa(`users:${binary}`)],
    ["base64 in the middle", btoa(`u:${binary}@host`)],
    ["base64 for URLs", btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/u, "")],
    ["hexadecimal digits", hex],
    ["hexadecimal capitals", hex.toUpperCase()],
  ])("are hidden in %s", (_, encoded) => {
    const shown = hide(`before ${encoded} after`);
    expect(shown).toMatch(/^before .{0,8}\[secret:DB_PASSWORD:[0-9a-f]{6}\].{0,12} after$/u);
    const rest = shown.replace(/\[secret.*?\]/u, "").length - "before  after".length;
    expect(rest).toBeLessThan(13);
  });

  it("are hidden whole where they overlap", () => {
    const secrets = createSecrets({ A: "abcdefgh", B: "efghijkl", C: "abcdef" });
    expect(secrets.hide("-abcdefghijkl-")).toMatch(/^-\[secret:A\]\[secret:B:\w{6}\]-$/u);
    expect(secrets.hide("-abcdefg-")).toBe("-[secret:C]g-");
    expect(secrets.hide("abcdefghefghijkl")).toBe("[secret:A][secret:B]");
  });

  it.each([
    "",
    "1",
    "true",
    "abcde",
    "localhost",
    "LOCALHOST",
    "production",
    "1234567",
    "127.0.0.1",
  ])("are not hidden if they are like %j", (common) => {
    const text = `x=${common} ${common}`;
    expect(createSecrets({ NAME: common }).hide(text)).toBe(text);
  });

  it("are found line by line if they are a key", () => {
    const line = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW";
    const key = `-----BEGIN OPENSSH PRIVATE KEY-----\n${line}\n-----END OPENSSH PRIVATE KEY-----\n`;
    const secrets = createSecrets({ DEPLOY_KEY: key });
    expect(secrets.hide(key)).toBe("[secret:DEPLOY_KEY]");
    expect(secrets.hide(`12: ${line}`)).toMatch(/^12: \[secret:DEPLOY_KEY:\w{6}\]$/u);
    expect(secrets.hide("-----BEGIN OPENSSH PRIVATE KEY-----")).toContain("BEGIN");
  });

  it("go by a name that fits a placeholder", () => {
    expect(createSecrets({ "my key]\n": value }).hide(value)).toBe("[secret:my_key__]");
  });

  it("are hidden alone in what is kept as it came", () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    const data = { url: `https://x/?a=${value}&b=${token}` };
    expect(hideKnown(data)).toEqual({ url: `https://x/?a=[secret:DB_PASSWORD]&b=${token}` });
    expect(namesIn(data)).toEqual(["DB_PASSWORD", "github-token"]);
    expect(namesIn({ a: ["nothing", 5, null] })).toEqual([]);
  });
});

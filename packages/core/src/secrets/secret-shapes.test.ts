import { describe, expect, it } from "vitest";
import { base64, fakeToken, hexDigits } from "../test-support/fake-token.ts";
import { secretShapes } from "./secret-shapes.ts";
import { createSecrets } from "./secrets.ts";

const { hide } = createSecrets({});
const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const random = fakeToken;
const hex = (length: number): string => fakeToken(length, hexDigits);

const tokens: [name: string, token: string][] = [
  ...["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map((prefix): [string, string] => [
    "github-token",
    `${prefix}${random(36)}`,
  ]),
  ["github-token", `github_pat_${random(22)}_${random(59)}`],
  ["gitlab-token", `glpat-${random(20)}`],
  ["gitlab-token", `glrt-${random(20)}`],
  ["slack-token", `xoxb-${random(12, "0123456789")}-${random(12, "0123456789")}-${random(24)}`],
  ["slack-token", `xapp-1-A0123456789-1234567890123-${hex(64)}`],
  ["stripe-key", `sk_live_${random(24)}`],
  ["stripe-key", `rk_live_${random(24)}`],
  ["anthropic-key", `sk-ant-api03-${random(93)}-${random(8)}`],
  ["openai-key", `sk-proj-${random(74)}`],
  ["openai-key", `sk-${random(48)}`],
  ["openai-key", `sk-${hex(32)}`],
  ["google-key", `AIza${random(35)}`],
  ["google-secret", `GOCSPX-${random(28)}`],
  ["google-token", `ya29.${random(120)}`],
  ["npm-token", `npm_${random(36)}`],
  ["pypi-token", `pypi-AgEIcHlwaS5vcmc${random(120)}`],
  ["sendgrid-key", `SG.${random(22)}.${random(43)}`],
  ["twilio-key", `SK${hex(32)}`],
  ["aws-key-id", `AKIA${random(16, capitals)}`],
  ["aws-key-id", `ASIA${random(16, capitals)}`],
  ["aws-session-token", `IQoJb3JpZ2lu${random(300, base64)}`],
  ["digitalocean-token", `dop_v1_${hex(64)}`],
  ["hugging-face-token", `hf_${random(34)}`],
  ["vault-token", `hvs.${random(90)}`],
  ["groq-key", `gsk_${random(52)}`],
  ["age-key", `AGE-SECRET-KEY-1${random(58, capitals)}`],
  ["jwt", `eyJ${random(17)}.eyJ${random(60)}.${random(43)}`],
  ["jwt", `eyJ${random(14)}.eyJ${random(60)}.${random(5000)}`],
];

describe("the shapes of secrets", () => {
  it.each(tokens)("know a %s wherever it stands: %s", (name, token) => {
    const placeholder = expect.stringMatching(
      new RegExp(`^\\[secret:${name}:[0-9a-f]{6}\\]$`, "u"),
    );
    expect(hide(token)).toEqual(placeholder);
    const shown = hide(token);
    for (const [before, after] of [
      ["", "\n"],
      ["token: ", ", and more"],
      ['const key = "', '";'],
      ["?access=", "&page=2"],
      ["x-", "."],
      ["(", ")"],
    ] as const) {
      expect(hide(before + token + after)).toBe(before + shown + after);
    }
  });

  it("are each tried above, but for those that need something before them", () => {
    const tried = new Set(tokens.map(([name]) => name));
    const missing = secretShapes.map(({ name }) => name).filter((name) => !tried.has(name));
    expect(missing).toEqual(["slack-webhook", "azure-key"]);
  });

  it("hide only what is secret of a webhook and a connection", () => {
    const webhook = "https://hooks.slack.com/services/T0123456789/B0123456789/";
    expect(hide(`${webhook}${random(24)}`)).toMatch(
      /^https:\/\/hooks\.slack\.com\/services\/T0123456789\/B0123456789\/\[secret:slack-webhook:\w{6}\]$/u,
    );
    const account = "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=";
    expect(hide(`${account}${random(86, base64)}==;EndpointSuffix=x`)).toMatch(
      /;AccountKey=\[secret:azure-key:\w{6}\];EndpointSuffix=x$/u,
    );
  });

  it.each(tokens)("ignore a %s inside a longer word: %s", (name, token) => {
    // A token that begins with what any word may begin with can't stand alone in a word.
    const shown = hide(`word${token}`);
    expect(shown.includes(`[secret:${name}:`) && shown.startsWith("word[")).toBe(false);
  });

  it.each([
    `ghp_${"x".repeat(36)}`,
    `npm_${"X".repeat(36)}`,
    "ghp_short",
    "const ghp_token = readToken()",
    "github_pattern_matching_for_everybody_in_the_world",
    "glpat-too-short",
    "xoxo-hugs-and-kisses-to-everybody",
    "sk-chasing-dot-before-animation-name",
    "sk-folding-cube-and-other-spinners-for-css",
    "task-1234567890-abcdefghij-klmnopqrst",
    "disk-AbCdEf0123456789AbCdEf0123456789",
    "npm_config_registry_of_the_whole_organisation",
    "npm_lifecycle_event",
    "AKIAtoolower12345678",
    "SKU0123456789abcdef0123456789abcdef",
    "SG.something.short",
    "SG.createElementNameSpaced.apply",
    "eyJustKidding.because.this-is-no-token",
    "AIzaButMuchTooShortForOne",
    "createRegistryWithEveryToolOfThisProject",
    "packages/core/src/secrets/secret-shapes.test.ts",
    "d41d8cd98f00b204e9800998ecf8427e",
    "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
    "550e8400-e29b-41d4-a716-446655440000",
    "9fceb02d0ae598e95dc970b74767f19372d61af8",
    `${"A".repeat(500)}`,
    "https://example.com/a/very/long/path/with-many-words-in-it/and_underscores_too?x=1",
  ])("ignore %s", (text) => {
    expect(hide(text)).toBe(text);
  });
});

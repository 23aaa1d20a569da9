import { describe, expect, it } from "vitest";
import { base64, fakeToken, hexDigits } from "../test-support/fake-token.ts";
import { createSecrets } from "./secrets.ts";

const { hide } = createSecrets({});
const random = fakeToken(32);
const awsId = `AKIA${fakeToken(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")}`;
const awsSecret = fakeToken(40, base64);
const strip = (text: string): string => text.replaceAll(/:[0-9a-f]{6}\]/gu, "]");

describe("secrets by what stands before them", () => {
  it.each([
    ["postgres://app:h3llo-w0rld@db:5432/x", "postgres://app:[secret:url-password]@db:5432/x"],
    ["https://:onlypass1@host/", "https://:[secret:url-password]@host/"],
    ["redis://default:p%40ss@[::1]:6379", "redis://default:[secret:url-password]@[::1]:6379"],
    ["a://u:p@ss-word@host b@c", "a://u:[secret:url-password]@host b@c"],
    [
      "git clone https://x-access-token:hunter22@github.com/o/r",
      "git clone https://x-access-token:[secret:url-password]@github.com/o/r",
    ],
    [`Authorization: Bearer ${random}`, "Authorization: Bearer [secret:bearer-token]"],
    [`-H 'authorization: bearer ${random}.x'`, "-H 'authorization: bearer [secret:bearer-token]'"],
    [
      `Authorization: Basic ${btoa("aladdin:open sesame")}`,
      "Authorization: Basic [secret:basic-credentials]",
    ],
    [`AWS_SECRET_ACCESS_KEY=${awsSecret}`, "AWS_SECRET_ACCESS_KEY=[secret:assigned-value]"],
    [`export API_TOKEN="${random}"`, 'export API_TOKEN="[secret:assigned-value]"'],
    [`SECRET_KEY = '${random}'`, "SECRET_KEY = '[secret:assigned-value]'"],
    [`  DB_PASSWORD: ${random}`, "  DB_PASSWORD: [secret:assigned-value]"],
    [`{"APIKEY": "${random}"}`, '{"APIKEY": "[secret:assigned-value]"}'],
    [
      `docker run -e SESSION_SECRET=${fakeToken(64, hexDigits)} image`,
      "docker run -e SESSION_SECRET=[secret:assigned-value] image",
    ],
    [
      `aws_access_key_id = ${awsId}\naws_secret_access_key = ${awsSecret}\n`,
      "aws_access_key_id = [secret:aws-key-id]\naws_secret_access_key = [secret:aws-secret-key]\n",
    ],
    [
      `{"AccessKeyId":"${awsId}","SecretAccessKey":"${awsSecret}"}`,
      '{"AccessKeyId":"[secret:aws-key-id]","SecretAccessKey":"[secret:aws-secret-key]"}',
    ],
  ])("are hidden in %s", (text, shown) => {
    expect(strip(hide(text))).toBe(shown);
  });

  it.each([
    "postgres://user:password@localhost/db",
    "https://user:pass@example.com",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a template in somebody's source
    "https://${user}:${password}@host",
    "https://<user>:<password>@host",
    "https://host:8080/@scope/package",
    "https://example.com/x:y@z",
    'import x from "@haft/core"; // see https://example.com: mail me@example.com',
    "http://localhost:3000/@vite/client",
    "Authorization: Bearer token",
    "Bearer authentication-is-not-supported-here",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a template in somebody's source
    "headers: { Authorization: `Bearer ${token}` }",
    "Basic English for everybody",
    "Basic QmFzaWM",
    `Basic ${btoa("user:password")}`,
    'password = os.environ["X"]',
    "token=abc",
    "TOKEN=abc",
    "API_KEY=changeme",
    "API_KEY=your-api-key-goes-here-please",
    "const SECRET_KEY = process.env.APPLICATION_SECRET_KEY_V2;",
    "const STORAGE_KEY = 'haft.session.settings.version2';",
    "TOKEN_URL=https://login.example.com/oauth2/v2.0/token",
    "PASSWORD_MIN_LENGTH=12",
    "PASSWORD_FILE=/run/secrets/database/password/file1",
    `PUBLIC_KEY=${random}`,
    `CACHE_KEY=${random}`,
    `const token = "${random}";`,
    `MONKEY=${random}`,
    `integrity: ${random}`,
    awsSecret,
  ])("are not seen in %s", (text) => {
    expect(hide(text)).toBe(text);
  });

  it("end with the reach of an AWS key id", () => {
    const far = `${awsId} ${"word ".repeat(70)}${awsSecret}`;
    expect(hide(far)).toContain(awsSecret);
    const near = `${awsId} ${"word ".repeat(50)}${awsSecret}`;
    expect(hide(near)).not.toContain(awsSecret);
  });
});

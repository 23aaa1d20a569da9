import { describe, expect, it } from "vitest";
import { isSecretPath } from "./secret-path.ts";

describe("isSecretPath", () => {
  it.each([
    ".env",
    ".env.local",
    ".env.production",
    ".env-prod",
    ".envrc",
    ".env~",
    ".env.example.local",
    "credentials",
    "credentials.json",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "id_ed25519_sk",
    "id_rsa.bak",
    ".npmrc",
    ".netrc",
    "_netrc",
    ".pypirc",
    ".git-credentials",
    ".pgpass",
    ".htpasswd",
    ".aws/config",
    ".aws/sso/cache/x",
    ".ssh/mine",
    ".ssh/authorized_keys",
    ".gnupg/private-keys-v1.d/x",
    ".kube/config",
    ".docker/config.json",
    ".config/gcloud/access_tokens.db",
    "server.pem",
    "server.key",
    "store.p12",
    "store.pfx",
    "app.keystore",
    "app.jks",
    "secrets.json",
    "secrets.yaml",
    "secrets.yml",
    "secrets.toml",
    ".haft-0123456789abcdef.tmp",
  ])("knows %s, in any spelling", (name) => {
    expect(isSecretPath(`/w/${name}`)).toBe(true);
    expect(isSecretPath(`/w/deep/er/${name}`)).toBe(true);
    expect(isSecretPath(`/w/${name.toUpperCase()}`)).toBe(true);
    expect(isSecretPath(`/w/${toFullWidth(name)}`)).toBe(true);
    expect(isSecretPath(`/w/${name.slice(0, 2)}\u200d${name.slice(2)}`)).toBe(true);
  });

  it.each([
    ".env.example",
    ".env.sample",
    ".env.template",
    ".env.local.example",
    ".environment",
    "env",
    "environment.ts",
    "my-credentials.ts",
    "id_rsa.pub",
    "id_ed25519.pub",
    "identity.ts",
    ".ssh/known_hosts",
    ".ssh/config",
    ".ssh/id_rsa.pub",
    ".aws",
    "aws/config",
    ".kube/config.d/readme",
    "docker/config.json",
    "secrets.ts",
    "secrets/readme.md",
    "key.ts",
    "monkey",
    "pem.md",
    "certifi/cacert.pem",
    ".env/lib/python3/site.py",
  ])("allows reading %s", (name) => {
    expect(isSecretPath(`/w/${name}`)).toBe(false);
  });

  it("knows where a system keeps its passwords", () => {
    expect(isSecretPath("/etc/shadow")).toBe(true);
    expect(isSecretPath("/etc/gshadow-")).toBe(true);
    expect(isSecretPath("/etc/passwd")).toBe(false);
    expect(isSecretPath("/w/src/shadow")).toBe(false);
  });
});

function toFullWidth(text: string): string {
  return text.replace(/[.a-z]/gu, (character) =>
    String.fromCharCode(character.charCodeAt(0) + 0xfee0),
  );
}

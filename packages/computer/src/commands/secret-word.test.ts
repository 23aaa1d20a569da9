import { describe, expect, it } from "vitest";
import { isSecretWord } from "./secret-word.ts";

const names = [
  ...[".env", ".env.local", ".envrc", "credentials", "CREDENTIALS", "credentials.json", "id_rsa"],
  ...["id_ed25519", ".npmrc", ".netrc", "_netrc", ".pypirc", ".git-credentials", ".pgpass"],
  ...[".htpasswd", ".dockercfg", ".vault-token", ".my.cnf", ".s3cfg", "secrets.yml", "a.pem"],
  ...["a.key", "a.p12", "a.pfx", "a.keystore", "a.jks", "a.kdbx", "a.ppk", ".aws/config", ".ssh/x"],
  ...[".gnupg/x", ".kube/config", ".docker/config.json", "．env", ".e\u200bnv"],
];

describe("isSecretWord", () => {
  it.each(names)("knows %s wherever it stands in a word", (name) => {
    for (const word of [name, `./${name}`, `a/../${name}`, `/w/${name}`, `--file=${name}`]) {
      expect(isSecretWord(word, "/w"), word).toBe(true);
    }
    for (const word of [
      `-f${name}`,
      `@${name}`,
      `HEAD:${name}`,
      `a=b:${name}`,
      `open('${name}')`,
    ]) {
      expect(isSecretWord(word, "/w"), word).toBe(true);
    }
    expect(isSecretWord(name, undefined)).toBe(true);
  });

  it.each([
    ["config", "/home/me/.aws"],
    ["x", "/home/me/.ssh"],
    ["shadow", "/etc"],
    ["./shadow", "/etc"],
    ["../etc/shadow", "/etc"],
    [".ssh", "/home/me"],
    ["/home/me/.aws", "/w"],
    ["//etc//shadow", "/w"],
    ["/proc/self/environ", "/w"],
    ["/proc/1/mem", "/w"],
    ["/dev/sda", "/w"],
  ])("knows %s in %s", (word, directory) => {
    expect(isSecretWord(word, directory)).toBe(true);
  });

  it.each([
    ...[
      "",
      "-",
      "ls",
      "src/index.ts",
      ".",
      "..",
      "--format=%h %s",
      "HEAD~3",
      "a:b",
      ".env.example",
    ],
    ...[
      "environment.ts",
      "/proc/cpuinfo",
      "/dev/null",
      "keys.ts",
      ".gitignore",
      "https://a.b/c?d=e",
    ],
    ...["\0.env"],
  ])("lets %j pass", (word) => {
    expect(isSecretWord(word, "/w")).toBe(false);
  });
});

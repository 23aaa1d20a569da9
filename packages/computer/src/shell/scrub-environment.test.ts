import { describe, expect, it } from "vitest";
import { scrubEnvironment } from "./scrub-environment.ts";

describe("scrubEnvironment", () => {
  it.each([
    "OPENAI_API_KEY",
    "AWS_SECRET_ACCESS_KEY",
    "github_token",
    "DB_PASSWORD",
    "SSH_PASSPHRASE",
    "SMTP_PASS",
    "MYSQL_PWD",
    "SENTRY_DSN",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "SSH_AUTH_SOCK",
    "npm_config__auth",
    "NODE_OPTIONS",
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "DYLD_INSERT_LIBRARIES",
    "GIT_SSH_COMMAND",
    "BASH_ENV",
    "ENV",
    "BASH_FUNC_ls%%",
    "PYTHONSTARTUP",
    "PERL5OPT",
    "RUBYOPT",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "HAFT_HOME",
  ])("leaves out %s", (name) => {
    expect(scrubEnvironment({ [name]: "value" })).toEqual({});
  });

  it.each(["https://me:secret@proxy:3128", "postgres://:secret@db/x"])("leaves out %s", (value) => {
    expect(scrubEnvironment({ DATABASE: value })).toEqual({});
  });

  it("keeps what is passed by name", () => {
    const environment = { API_KEY: "a", OTHER_KEY: "b", DATABASE: "x://y:z@w", GIT_DIR: "d" };
    expect(scrubEnvironment(environment, ["API_KEY", "DATABASE", "NONE"])).toEqual({
      API_KEY: "a",
      DATABASE: "x://y:z@w",
    });
  });

  it("keeps what programs need, as it is", () => {
    const kept = {
      PWD: "/w",
      OLDPWD: "/v",
      HTTPS_PROXY: "http://proxy:3128",
      PATH: "/bin",
      HOME: "/h",
      LANG: "C",
      GOPATH: "/go",
      ENVIRONMENT: "x",
      EMPTY: "",
    };
    expect(scrubEnvironment({ ...kept, GONE: undefined })).toEqual(kept);
  });
});

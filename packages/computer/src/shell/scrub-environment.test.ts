import { describe, expect, it } from "vitest";
import { scrubEnvironment } from "./scrub-environment.ts";

describe("scrubEnvironment", () => {
  it.each([
    "OPENAI_API_KEY",
    "AWS_SECRET_ACCESS_KEY",
    "github_token",
    "DB_PASSWORD",
    "SSH_PASSPHRASE",
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

  it("keeps what programs need, as it is", () => {
    const kept = {
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

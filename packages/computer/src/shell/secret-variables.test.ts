import { describe, expect, it } from "vitest";
import { findSecretVariables } from "./secret-variables.ts";

const random = "q7Rb2XnV9kTz4Lw8Hd3Ys6Pf";

describe("findSecretVariables", () => {
  it.each([
    ["OPENAI_API_KEY", "sk-test-1234"],
    ["github_token", "abc-def-ghi"],
    ["DB_PASSWORD", "hunter2-hunter2"],
    ["SMTP_PASS", "a1b2c3d4"],
    ["SENTRY_DSN", "https://abc@sentry.example/1"],
    ["GH_PAT", random],
    ["SLACK_WEBHOOK", `https://hooks.example/services/T1/B2/${random}`],
    ["DATABASE_URL", "postgres://me:word@db/x"],
  ])("finds %s, although it is not passed", (name, value) => {
    expect(findSecretVariables({ [name]: value }, [])).toEqual({ [name]: value });
  });

  it.each([
    ["DB_PASSWORD", "postgres"],
    ["SSH_AUTH_SOCK", "/tmp/ssh-1/agent.2"],
    ["AUTH_URL", "https://auth.example.com/"],
    ["AUTH_TYPE", "scram-sha-256"],
    ["DESKTOP_SESSION", "plasma-x11"],
    ["GIT_AUTHOR_NAME", "Jo Example-2"],
    ["MAX_TOKENS", "12345678"],
    ["OTHER", random],
  ])("does not hide %s=%s, which would make texts unreadable", (name, value) => {
    expect(findSecretVariables({ [name]: value }, [])).toEqual({});
  });

  it.each([
    ["GH_PAT", "invented"],
    ["STRIPE_SK", "invented"],
    ["AWS_SESSION", "invented"],
    ["DB_PASSWORD", "postgres"],
    ["OTHER", random],
  ])("finds %s=%s if it is passed", (name, value) => {
    expect(findSecretVariables({ [name]: value }, [name])).toEqual({ [name]: value });
  });

  it("shows what is passed and no secret", () => {
    const environment = { APP_MODE: "verbose", GOPROXY: "https://proxy.example,direct" };
    expect(findSecretVariables(environment, Object.keys(environment))).toEqual({});
  });
});

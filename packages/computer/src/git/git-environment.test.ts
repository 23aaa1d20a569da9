import { describe, expect, it } from "vitest";
import { toGitEnvironment } from "./git-environment.ts";

describe("the environment of git", () => {
  it("keeps what is the person's, and drops which repository it was about", () => {
    const person = { PATH: "/bin", GIT_AUTHOR_NAME: "A", GIT_SSH_COMMAND: "ssh -v" };
    const place = { GIT_DIR: ".git", GIT_EXTERNAL_DIFF: "x", GIT_CONFIG_PARAMETERS: "'a.b=c'" };
    const environment = toGitEnvironment({ ...person, ...place });
    expect(environment).toMatchObject(person);
    expect(Object.keys(environment)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^GIT_(?:DIR|EXTERNAL_DIFF|CONFIG_PARAM)/u)]),
    );
  });

  it("adds settings behind those that are given", () => {
    const given = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "a.b", GIT_CONFIG_VALUE_0: "c" };
    const environment = toGitEnvironment(given, { settings: { "core.hooksPath": "/hooks" } });
    expect(environment).toMatchObject({ GIT_CONFIG_KEY_0: "a.b", GIT_CONFIG_VALUE_0: "c" });
    const names = Object.keys(environment).filter((name) => /^GIT_CONFIG_KEY_/u.test(name));
    expect(environment.GIT_CONFIG_COUNT).toBe(String(names.length));
    const hooks = names.filter((name) => environment[name] === "core.hooksPath");
    expect(hooks.map((name) => environment[name.replace("KEY", "VALUE")])).toEqual(["/hooks"]);
  });

  it("lets git speak only the protocols that are named", () => {
    expect(toGitEnvironment({})).toMatchObject({ GIT_ALLOW_PROTOCOL: "" });
    const environment = toGitEnvironment({}, { protocols: ["https", "ssh"] });
    expect(environment).toMatchObject({ GIT_ALLOW_PROTOCOL: "https:ssh" });
  });
});

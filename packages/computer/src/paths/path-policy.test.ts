import { compileRequirements } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { type Access, createPathPolicies } from "./path-policy.ts";

const everything = compileRequirements({ fs: { read: ["/**"], write: ["/**"] } }, {});

const answer = (
  access: Access,
  path: string,
  { roots = ["/w"], stateDirectory = "/state" } = {},
): string => {
  const policy = createPathPolicies({ roots, stateDirectory })({
    grant: everything,
    isNamed: () => false,
    isDenied: (where, mode) => mode === "write" && where.startsWith("/w/closed/"),
  });
  try {
    policy.judge(access, path, path);
    return "allowed";
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe("the path policy", () => {
  it("keeps tools out of the state of sessions, except for sidecars", () => {
    expect(answer("read", "/state/sessions/w-1/s/journal.jsonl")).toBe("secret-file");
    expect(answer("read", "/state/sessions/w-1/s/sidecars/call.txt")).toBe("allowed");
    expect(answer("read", "/state/sessions/w-1/s/sidecars/credentials.txt")).toBe("allowed");
    expect(answer("change", "/state/sessions/w-1/s/sidecars/call.txt")).toBe("denied");
    expect(answer("change", "/state/sessions/w-1/s/rules")).toBe("denied");
    expect(answer("look", "/state/sessions/w-1/s")).toBe("allowed");
  });

  it("holds to rules where a change lands, also where the call did not name the place", () => {
    expect(answer("change", "/w/closed/a")).toBe("denied");
    expect(answer("change", "/w/open/a")).toBe("allowed");
    expect(answer("read", "/w/closed/a")).toBe("allowed");
  });

  it("does not confuse a session named sidecars with sidecars", () => {
    expect(answer("read", "/state/sessions/w-1/sidecars/journal.jsonl")).toBe("secret-file");
    expect(answer("read", "/state/sessions/sidecars/s/journal.jsonl")).toBe("secret-file");
  });

  it("lets people work in a directory that holds both state and workspace", () => {
    expect(answer("change", "/state/w/a.txt", { roots: ["/state/w"] })).toBe("allowed");
    expect(answer("change", "/state/sessions/x/y/rules", { roots: ["/state/w"] })).toBe("denied");
    expect(answer("change", "/w/.state/sessions/x/y/rules", { stateDirectory: "/w/.state" })).toBe(
      "denied",
    );
  });

  it("lets people work in shared memory, but not with devices", () => {
    expect(answer("read", "/dev/shm/w/a.txt")).toBe("allowed");
    expect(answer("read", "/dev/sda")).toBe("out-of-scope");
    expect(answer("read", "/development/a.txt")).toBe("allowed");
  });
});

import { describe, expect, it } from "vitest";
import { defaultRules } from "./default-rules.ts";

describe("defaultRules", () => {
  it("allow reading and deny nothing", () => {
    expect(defaultRules).toContainEqual({ permission: "read", pattern: "**", action: "allow" });
    expect(defaultRules.every((rule) => rule.action === "allow")).toBe(true);
  });

  it("leave what changes files or runs programs to be asked", () => {
    const allowed = defaultRules.map((rule) => rule.permission);
    for (const id of ["write", "edit", "bash", "task", "*", "fs.write"]) {
      expect(allowed).not.toContain(id);
    }
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { errorCodes, isErrorCode } from "./error-codes.ts";

const table = Object.entries(errorCodes);

describe("errorCodes", () => {
  it("has a row for each member of the union and a member for each row", () => {
    const source = readFileSync(new URL("./error-codes.ts", import.meta.url), "utf8");
    const union = /export type ErrorCode =([^;]*);/u.exec(source)?.[1] ?? "";
    const members = Array.from(union.matchAll(/"([^"]+)"/gu), (fit) => fit[1]);
    expect(members.length).toBeGreaterThan(15);
    expect(table.map(([code]) => code).sort()).toEqual(members.sort());
  });

  it("gives every code an exit code of its own, none of them success or a signal we don't mean", () => {
    const exitCodes = table.map(([, facts]) => facts.exitCode);
    expect(new Set(exitCodes).size).toBe(exitCodes.length);
    for (const exitCode of exitCodes) {
      expect(exitCode).toBeGreaterThan(0);
      expect(exitCode).toBeLessThan(256);
      if (exitCode > 125) expect(exitCode).toBe(errorCodes.cancelled.exitCode);
    }
  });

  it.each(table)("has plausible facts about %s", (code, facts) => {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/u);
    expect(facts.meaning).toMatch(/^[A-Z].*\.$/u);
    expect(["never", "later", "changed"]).toContain(facts.retry);
    expect(facts.httpStatus).toBeGreaterThanOrEqual(400);
    expect(facts.httpStatus).toBeLessThan(600);
    expect(["failed", "cancelled"]).toContain(facts.acp);
    if (facts.mcp !== "result") expect(facts.mcp).toBeLessThan(-32_000);
  });

  it("keeps the server's own status for what is the server's own fault", () => {
    const server = table.filter(([, facts]) => facts.httpStatus >= 500).map(([code]) => code);
    expect(server.sort()).toEqual(["internal", "interrupted", "timeout", "unavailable"]);
  });
});

describe("isErrorCode", () => {
  it("knows the codes and nothing that every object has", () => {
    expect(table.every(([code]) => isErrorCode(code))).toBe(true);
    for (const other of ["", "toString", "constructor", "__proto__", "Internal", "unknown"]) {
      expect(isErrorCode(other)).toBe(false);
    }
  });
});

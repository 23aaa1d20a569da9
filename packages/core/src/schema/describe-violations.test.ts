import type { JsonSchema } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { violations } from "./schema-check.ts";

const schema: JsonSchema = {
  type: "object",
  properties: {
    path: { type: "string", minLength: 1 },
    limit: { type: "integer", minimum: 1 },
    mode: { enum: ["read", "write"] },
    edits: {
      type: "array",
      items: {
        type: "object",
        properties: { old_text: { type: "string" }, "a/b~c": { type: "string" } },
        required: ["old_text"],
        additionalProperties: false,
      },
    },
    version: { const: 1 },
    either: { type: ["string", "null"] },
  },
  required: ["path"],
  additionalProperties: false,
};

describe("describeViolations", () => {
  it.each<[string, unknown, string]>([
    ["a missing field", {}, "path is missing"],
    ["a missing nested field", { path: "a", edits: [{}] }, "edits[0].old_text is missing"],
    ["a wrong type", { path: 5 }, "path: expected string, got number 5"],
    [
      "several possible types",
      { path: "a", either: 1 },
      "either: expected string or null, got number 1",
    ],
    ["an object for a text", { path: {} }, "path: expected string, got an object"],
    ["an array for a text", { path: [] }, "path: expected string, got an array"],
    ["null for a text", { path: null }, "path: expected string, got null"],
    ["the whole arguments", 5, "the arguments: expected object, got number 5"],
    [
      "a value not in the list",
      { path: "a", mode: "x" },
      'mode: expected one of "read", "write", got string "x"',
    ],
    ["a value that is not the one", { path: "a", version: 2 }, "version: expected 1, got number 2"],
    ["a bound", { path: "a", limit: 0 }, "limit must be >= 1"],
    ["an unknown property", { path: "a", zzz: 1 }, "zzz is not a known property"],
    [
      "a misspelt property",
      { path: "a", limmit: 1 },
      "limmit is not a known property (did you mean limit?)",
    ],
    [
      "a misspelt nested property by its own neighbours",
      { path: "a", edits: [{ old_text: "", oldText: "" }] },
      "edits[0].oldText is not a known property (did you mean old_text?)",
    ],
    [
      "a name with the characters of pointers",
      { path: "a", edits: [{ old_text: "", "a/b~c": 1 }] },
      "edits[0].a/b~c: expected string, got number 1",
    ],
  ])("names %s", (_, value, sentence) => {
    expect(violations(schema, value)).toEqual([sentence]);
  });

  it("does not offer the names of another part of the schema", () => {
    const [sentence] = violations(schema, {
      path: "a",
      edits: [{ old_text: "", pathh: "" }],
    });
    expect(sentence).toBe("edits[0].pathh is not a known property");
  });

  it("names the whole where a rule on it is broken", () => {
    const listed: JsonSchema = { type: "object", enum: [{ a: 1 }] };
    expect(violations(listed, {})).toEqual([
      'the arguments: expected one of {"a":1}, got an object',
    ]);
  });

  it("shows at most five and counts the rest", () => {
    const edits = Array.from({ length: 8 }, () => ({}));
    const sentences = violations(schema, { path: "a", edits });
    expect(sentences).toHaveLength(6);
    expect(sentences.at(-1)).toBe("and 3 more");
  });

  it("quotes long values by their beginning, never half a character", () => {
    const [sentence] = violations({ type: "integer" }, "😀".repeat(100));
    expect(sentence).toMatch(/^the arguments: expected integer, got string "😀+…$/u);
  });
});

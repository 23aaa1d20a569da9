import type { JsonValue } from "@haft/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonSettings } from "./json-settings.ts";
import { withEntry } from "./settings-format.ts";

const keys = ["servers", "haft"] as const;
const set = (text: string, entry: JsonValue = { a: 1 }): string =>
  jsonSettings.set(text, keys, entry);

describe("JSON settings", () => {
  it.each([
    ["", '{\n  "servers": {\n    "haft": {\n      "a": 1\n    }\n  }\n}\n'],
    ["// mine\n", '// mine\n{\n  "servers": {\n    "haft": {\n      "a": 1\n    }\n  }\n}\n'],
    ["{}\n", '{\n  "servers": {\n    "haft": {\n      "a": 1\n    }\n  }\n}\n'],
    ['{"b":1}', '{"b":1, "servers": {"haft":{"a":1}}}'],
    [
      '{\n\t"b": 1 // one\n}',
      '{\n\t"b": 1, // one\n\t"servers": {\n\t\t"haft": {\n\t\t\t"a": 1\n\t\t}\n\t}\n}',
    ],
    [
      '{\r\n  "servers": {}\r\n}',
      '{\r\n  "servers": {\r\n    "haft": {\r\n      "a": 1\r\n    }\r\n  }\r\n}',
    ],
    [
      '{\n  "servers": {\n    "x": 0, // zero\n    /* more to come */\n  },\n}\n',
      '{\n  "servers": {\n    "x": 0, // zero\n    /* more to come */\n    "haft": {\n      "a": 1\n    },\n  },\n}\n',
    ],
    [
      '{\n  "servers": {\n    // none yet\n  }\n}\n',
      '{\n  "servers": {\n    // none yet\n    "haft": {\n      "a": 1\n    }\n  }\n}\n',
    ],
    [
      '{\n  "servers": { "haft": {"b": 2}, "x": {} }, // here\n}\n',
      '{\n  "servers": { "haft": {"a":1}, "x": {} }, // here\n}\n',
    ],
    [
      '\ufeff{\n    "servers": {\n        "haft": 0\n    }\n}',
      '\ufeff{\n    "servers": {\n        "haft": {\n            "a": 1\n        }\n    }\n}',
    ],
  ])("sets an entry in %j and leaves the rest as it was", (before, after) => {
    expect(set(before)).toBe(after);
    expect(set(after)).toBe(after);
  });

  it("takes the later of two members with one name, as every reader does", () => {
    const after = set('{"servers": {"x": 1}, "servers": {"y": 2}}');
    expect(jsonSettings.read(after)).toEqual({ servers: { y: 2, haft: { a: 1 } } });
  });

  it.each(["[]", '{"servers": []}', '{"servers": null}', '"text"'])(
    "refuses %s, where an entry has no place",
    (text) => {
      expect(() => set(text)).toThrow('the parent of "');
    },
  );

  it("keeps every value, comment and line of any settings", () => {
    fc.assert(
      fc.property(settings(), entries, (text, entry) => {
        const before = jsonSettings.read(text);
        const after = set(text, entry);
        expect(jsonSettings.read(after)).toEqual(
          JSON.parse(JSON.stringify(withEntry(before, keys, entry))),
        );
        expect(after.match(/#\d+/gu)).toEqual(text.match(/#\d+/gu));
      }),
      { numRuns: 300 },
    );
  });
});

const entries = fc.constantFrom<JsonValue[]>({ a: ["b", "}"], "//": {} }, [], "text", null);

// Settings as people write them: gaps with comments wherever they may be. Every comment has a number,
// and no value has one.
function settings(): fc.Arbitrary<string> {
  const gap = fc.constantFrom("", " ", "\n", "\n  ", "\t", "/* #1 { */", " // #2 }\n", "\r\n");
  const name = fc.constantFrom("a", 'q"\\u0041/*', "servers", "//", "é");
  const leaf = fc.constantFrom(
    "0",
    "-1.5e3",
    "true",
    "null",
    '"//,}"',
    '"\\\\"',
    '"/* x */"',
    "[]",
  );
  const { object } = fc.letrec<{ object: string; value: string; array: string }>((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, leaf, tie("object"), tie("array")),
    array: fc
      .tuple(fc.array(fc.tuple(gap, tie("value")), { maxLength: 3 }), gap, fc.boolean())
      .map(([items, last, comma]) =>
        close(
          "[",
          items.map((item) => item.join("")),
          [last, comma],
        ),
      ),
    object: fc
      .tuple(fc.array(fc.tuple(gap, name, gap, gap, tie("value"), gap)), gap, fc.boolean())
      .map(([members, last, comma]) =>
        close(
          "{",
          members.map(([before, key, ...[mid, after, value, end]]) =>
            [
              before,
              `"${key.replace('"', '\\"')}"`,
              mid,
              ":",
              after,
              asObject(key, value),
              end,
            ].join(""),
          ),
          [last, comma],
        ),
      ),
  }));
  return fc.tuple(gap, object, gap).map((parts) => parts.join(""));
}

function asObject(key: string, value: string): string {
  return key === "servers" && !value.startsWith("{") ? "{}" : value;
}

function close(
  open: "[" | "{",
  items: readonly string[],
  [last, comma]: readonly [string, boolean],
): string {
  const end = comma && items.length > 0 ? "," : "";
  return `${open}${items.join(",")}${end}${last}${open === "[" ? "]" : "}"}`;
}

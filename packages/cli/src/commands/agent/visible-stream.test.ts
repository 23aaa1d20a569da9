import { toVisibleText } from "@haft/core/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createVisibleStream } from "./visible-stream.ts";

function pushAll(parts: readonly string[]): string {
  const stream = createVisibleStream();
  return parts.map((part) => stream.push(part)).join("") + stream.end();
}

describe("createVisibleStream", () => {
  it("lets no escape sequence pass, wherever it is split", () => {
    expect(pushAll(["a\u001b", "[2", "Jb\u009b", "1m"])).toBe("a\\u{1b}[2Jb\\u{9b}1m");
  });

  it("keeps characters of two halves whole", () => {
    const [first = "", second = ""] = "😀".split("");
    expect(pushAll([`a${first}`, `${second}b`])).toBe("a😀b");
    const [high = "", low = ""] = "\u{e0041}".split("");
    expect(pushAll([high, low])).toBe("\\u{e0041}");
  });

  it("takes both forms of line breaks, and shows a lone carriage return", () => {
    expect(pushAll(["a\r", "\nb\n"])).toBe("a\nb\n");
    expect(pushAll(["50%\r", "100%"])).toBe("50%\\u{d}100%");
    expect(pushAll(["end\r"])).toBe("end\\u{d}");
  });

  it("shows the same however the text is split", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "binary", maxLength: 8 }), { maxLength: 5 }),
        (parts) => {
          const whole = toVisibleText(parts.join("").replaceAll("\r\n", "\n"));
          expect(pushAll(parts)).toBe(whole);
          expect(pushAll(parts.join("").split(""))).toBe(whole);
        },
      ),
    );
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toPlainText } from "./to-plain-text.ts";

const esc = "\u001b";

describe("toPlainText", () => {
  it.each([
    ["plain text", "a\tb\nc\n", "a\tb\nc\n"],
    ["text of every language", "naïve 本 😀 \u200b\u202e", "naïve 本 😀 \u200b\u202e"],
    ["colours", `${esc}[1;31mred${esc}[0m ${esc}[38:2::1:2:3mx${esc}[m`, "red x"],
    ["where the cursor goes", `a${esc}[2K${esc}[1Ab${esc}[?25l`, "ab"],
    ["a title", `${esc}]0;title\u0007text`, "text"],
    ["a link", `${esc}]8;;http://a/${esc}\\text${esc}]8;;${esc}\\`, "text"],
    ["a device string", `${esc}Pq#0;2${esc}\\text`, "text"],
    ["a character set", `${esc}(Btext${esc}=`, "text"],
    ["a title that never ends", `${esc}]0;title\ntext`, "␛]0;title\ntext"],
    ["a lone escape", `a${esc}`, "a␛"],
    ["line ends of Windows", "a\r\nb\r\n", "a\nb\n"],
    ["a progress bar", " 10%\r 50%\r100%\ndone\n", "100%\ndone\n"],
    ["a progress bar that erases", `10%\r${esc}[K20%\r${esc}[K\nok`, "20%\nok"],
    ["a progress bar that goes on", "10%\r20%\r", "20%"],
    ["only carriage returns", "\r\r\n", "\n"],
    ["NUL, which separates names", "a\0b\0", "a␀b␀"],
    ["other control characters", "\u0007\b\u007f\u009b", "␇␈␡\ufffd"],
  ])("makes text of %s", (_, printed, plain) => {
    expect(toPlainText(printed)).toBe(plain);
  });

  it("leaves nothing that a terminal would obey, and its own work as it is", () => {
    const units = [esc, "[", "]", "3", "1", "m", "\r", "\n", "\t", "\0", "\u0007", "\\", "P", "é"];
    const printed = fc.string({ unit: fc.constantFrom(...units), maxLength: 30 });
    fc.assert(
      fc.property(fc.oneof(printed, fc.string({ unit: "binary" })), (text) => {
        const plain = toPlainText(text);
        expect(plain).not.toMatch(/[^\P{Cc}\n\t]/u);
        expect(toPlainText(plain)).toBe(plain);
        expect(plain.split("\n")).toHaveLength(text.split("\n").length);
      }),
      { numRuns: 500 },
    );
  });
});

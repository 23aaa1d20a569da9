import { describe, expect, it } from "vitest";
import { createStyle } from "../../terminal/style.ts";
import { countDiff, showDiff } from "./show-diff.ts";
import { createTestIo } from "./test-support/test-io.ts";

const plain = createStyle(createTestIo());
const colours = createStyle(createTestIo({ errorIsTerminal: true }));
const diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n-old\n+new\u001b[1m\r\n";

describe("showDiff", () => {
  it("colours what comes and goes", () => {
    expect(showDiff(diff, colours)).toEqual([
      "\u001b[1m--- a/x\u001b[22m",
      "\u001b[1m+++ b/x\u001b[22m",
      "\u001b[36m@@ -1,2 +1,2 @@\u001b[39m",
      " same",
      "\u001b[31m-old\u001b[39m",
      "\u001b[32m+new\\u{1b}[1m\u001b[39m",
    ]);
  });

  it("shows 40 lines and tells how many more there are", () => {
    const lines = showDiff(`${"+x\n".repeat(100)}`, plain);
    expect(lines).toHaveLength(41);
    expect(lines.at(-1)).toBe("… 60 more lines of the diff");
    expect(showDiff("+x\n".repeat(40), plain)).toHaveLength(40);
  });

  it("cuts lines that are too long", () => {
    expect(showDiff(`+${"y".repeat(1e5)}`, plain)[0]?.length).toBe(240);
  });
});

describe("countDiff", () => {
  it("counts lines but not headers", () => {
    expect(countDiff(`${diff}+more\n`)).toBe("+2 -1");
  });
});

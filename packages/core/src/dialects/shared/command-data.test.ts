import { describe, expect, it } from "vitest";
import { nameKeptFile } from "./command-data.ts";

const gap = "[… 1,234 bytes left out here; the whole is at the path in output_path …]";

describe("nameKeptFile", () => {
  it("names the file where the output was cut", () => {
    expect(nameKeptFile(`a\n${gap}\nb`, "/s/$&")).toBe(
      "a\n[… 1,234 bytes left out here; the whole is at /s/$& …]\nb",
    );
  });

  it("leaves alone output that only speaks of such a path, or that is whole", () => {
    const talk = "the path in output_path";
    expect(nameKeptFile(talk, "/s/1")).toBe(talk);
    expect(nameKeptFile(`a\n${gap}\nb`, undefined)).toBe(`a\n${gap}\nb`);
  });
});

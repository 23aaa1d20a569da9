import { describe, expect, it } from "vitest";
import { describeJob, describeJobOutput, nameKeptFile } from "./shell.ts";

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

const job = { job_id: "job-1", state: "running", ports: [] } as const;

describe("describeJob", () => {
  it.each([
    [job, "job-1 is running."],
    [{ ...job, pid: 7, ports: [80, 443] }, "job-1 is running (pid 7, listens on 80, 443)."],
    [{ ...job, state: "ended", exit_code: 2 }, "job-1 ended with exit code 2."],
    [{ ...job, state: "ended", signal: "SIGTERM" }, "job-1 ended by SIGTERM."],
    [
      { ...job, state: "ended", exit_code: 1, reason: "too much output" },
      "job-1 ended with exit code 1 (too much output).",
    ],
    [
      {
        ...job,
        state: "ended",
        exit_code: 0,
        changes: [{ path: "/w/a", kind: "created" }],
        changes_total: 3,
        notes: ["Merged."],
      },
      "job-1 ended with exit code 0.\nChanged: /w/a (created), and 2 more.\nMerged.",
    ],
  ] as const)("tells %j", (data, sentence) => {
    expect(describeJob(data)).toBe(sentence);
  });
});

describe("describeJobOutput", () => {
  it("gives what was printed, and how much is gone", () => {
    expect(describeJobOutput({ ...job, output: "" })).toBe("No output yet.");
    expect(describeJobOutput({ ...job, output: "a\n" })).toBe("Output:\na\n");
    expect(describeJobOutput({ ...job, output: "b", omitted_bytes: 5 })).toBe(
      "Output:\n[5 earlier bytes are no longer kept]\nb",
    );
  });
});

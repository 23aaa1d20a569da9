import { describe, expect, it } from "vitest";
import { describeJob, describeJobOutput } from "./job-data.ts";

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
  ] as const)("tells %j", (data, sentence) => {
    expect(describeJob(data)).toBe(sentence);
  });
});

describe("describeJobOutput", () => {
  it("gives what was printed, and how much is gone", () => {
    expect(describeJobOutput({ ...job, output: "" })).toBe("It has printed nothing.");
    expect(describeJobOutput({ ...job, output: "a\n" })).toBe("Output:\na\n");
    expect(describeJobOutput({ ...job, output: "b", omitted_bytes: 5 })).toBe(
      "Output:\n[5 earlier bytes are no longer kept]\nb",
    );
  });
});

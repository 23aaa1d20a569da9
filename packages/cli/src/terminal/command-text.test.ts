import { describe, expect, it } from "vitest";
import { toResultText } from "./result-text.ts";

const job = { job_id: "j1", state: "running", command: "npm start", cwd: "/w", ports: [] };

describe("toResultText of commands", () => {
  it("shows what was printed, and says nothing of a command that went well", () => {
    expect(toResultText({ output: "hi\n", exit_code: 0 })).toEqual({ text: "hi\n", remarks: [] });
  });

  it("says how a command ended and what became of the rest, beside its output", () => {
    const data = {
      output: "",
      exit_code: 3,
      waited_for_input: "Password:",
      left_running: [{ pid: 7, command: "sleep 60", ports: [] }],
      refused_hosts: ["evil.example"],
      notes: ["A rules file was taken away."],
      advice: "Use -y.",
    };
    expect(toResultText(data)).toEqual({
      text: "",
      remarks: [
        "exit code 3",
        'it waited for input at "Password:" and was ended',
        "was still running and was ended: sleep 60 (7)",
        "refused hosts: evil.example (see --allow-host)",
        "A rules file was taken away.",
        "Use -y.",
      ],
    });
  });

  it("names the signal that ended a command", () => {
    const data = { output: "x", exit_code: null, signal: "SIGKILL" };
    expect(toResultText(data)).toEqual({ text: "x", remarks: ["ended by SIGKILL"] });
  });

  it.each([
    [job, "job j1: running"],
    [{ ...job, ports: [80, 443] }, "job j1: running, port 80, 443"],
    [{ ...job, state: "ended", exit_code: 0 }, "job j1: ended"],
    [{ ...job, state: "ended", exit_code: 2 }, "job j1: ended, exit code 2"],
  ])("says how the job %j is, beside its output", (data, remark) => {
    expect(toResultText({ ...data, output: "ready\n", next: 6 })).toEqual({
      text: "ready\n",
      remarks: [remark],
    });
  });

  it("shows jobs one per line, and reports if there are none", () => {
    const jobs = [
      { ...job, ports: [3000] },
      { ...job, job_id: "j2", state: "ended", exit_code: 1 },
    ];
    expect(toResultText({ jobs })).toEqual({
      text: "j1  running, port 3000  npm start\nj2  ended, exit code 1  npm start",
    });
    expect(toResultText({ jobs: [] })).toEqual({ text: "", remarks: ["no jobs"] });
  });
});

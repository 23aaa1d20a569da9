import { join } from "node:path";
import type { Job } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { createDiskComputer } from "../disk/disk-computer.ts";
import { identifyProcess, type ProcessIdentity } from "../locks/process-identity.ts";
import { writeKeeperFile } from "../shell/jobs/keeper-file.ts";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";
import { listKeptJobs } from "./list-kept-jobs.ts";

const job = (id: string, state: Job["state"]): Job => ({
  id,
  state,
  command: `serve ${id}`,
  cwd: "/w",
  startedAt: 0,
  processes: [],
});

function keep(name: string, stateDirectory: string, owner: ProcessIdentity): void {
  const workspace = join(stateDirectory, "..");
  const session = createDiskComputer({ workspace, stateDirectory }).openSession(name);
  session.touch();
  const jobs = [job("1", "running"), job("2", "ended")];
  writeKeeperFile(session.directory, { version: 1, owner, socket: "/none", token: "t", jobs });
}

describe("listKeptJobs", () => {
  it("tells which jobs run, of the keepers that are there", () => {
    const state = join(makeTemporaryDirectory(), "state");
    expect(listKeptJobs(state)).toEqual([]);
    const here = identifyProcess();
    keep("kept", state, here);
    keep("left", state, { ...here, boot: "before the machine was started again" });
    const kept = listKeptJobs(state);
    expect(kept.map(({ session, running }) => [session.name, running.map(({ id }) => id)])).toEqual(
      [["kept", ["1"]]],
    );
  });
});

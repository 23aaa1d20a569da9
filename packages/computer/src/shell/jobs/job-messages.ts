import type { Job } from "@haft/contract";
import type { Confinement, RunRequest } from "../confine-run.ts";

/** A command to run in the background. It is JSON: the process that keeps it may be another. */
export interface JobOrder {
  readonly command: string;
  readonly request: RunRequest;
  readonly confinement: Confinement;
}

/** Part of what a job printed. */
export interface JobBytes {
  readonly job: Job;
  readonly base64: string;
  /** Where the part begins in all that was printed. */
  readonly from: number;
}

/** What a keeper of jobs is asked. */
export type KeeperRequest =
  | { readonly type: "start"; readonly order: JobOrder }
  | { readonly type: "list" }
  | { readonly type: "output"; readonly id: string; readonly since: number }
  | { readonly type: "stop"; readonly id: string }
  | { readonly type: "network" }
  | { readonly type: "close" };

/** What it answers. */
export type KeeperReply =
  | { readonly type: "answer"; readonly answer: unknown }
  | { readonly type: "error"; readonly code: string; readonly message: string };

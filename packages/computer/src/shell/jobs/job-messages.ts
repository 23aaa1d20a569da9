import type { Job, JobWait } from "@haft/contract";
import type { Confinement, RunRequest } from "../confine-run.ts";

/** A command to run in the background. It is JSON, because another process may keep it. */
export interface JobOrder {
  readonly command: string;
  readonly request: RunRequest;
  readonly confinement: Confinement;
}

/** Which part of a job's output to return, and what to wait for first. */
export interface OutputRequest {
  /** The first byte. */
  readonly since: number;
  readonly wait?: JobWait | undefined;
}

/** A part of a job's output. */
export interface JobBytes {
  readonly job: Job;
  readonly base64: string;
  /** Offset of the part in the whole output. */
  readonly from: number;
}

/** Requests to a job keeper. */
export type KeeperRequest =
  | { readonly type: "start"; readonly order: JobOrder }
  | { readonly type: "list" }
  | ({ readonly type: "output"; readonly id: string } & OutputRequest)
  | { readonly type: "stop"; readonly id: string }
  | { readonly type: "network" }
  | { readonly type: "close" };

/** Replies of a job keeper. */
export type KeeperReply =
  | { readonly type: "answer"; readonly answer: unknown }
  | { readonly type: "error"; readonly code: string; readonly message: string };

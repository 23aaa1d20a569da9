// The script of the index process, and of the threads that help it.
import { isMainThread, workerData } from "node:worker_threads";
import type { CrewMember } from "./check-crew.ts";
import { helpChecking } from "./help-checking.ts";
import { serveIndex } from "./serve-index.ts";

if (isMainThread) serveIndex(process.argv[1] ?? "");
else helpChecking(workerData as CrewMember);

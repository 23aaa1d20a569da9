import { randomBytes } from "node:crypto";
import type { Io } from "../io.ts";

/** The token that whoever comes over HTTP has to bring: the one that is set, else a new one. */
export function chooseToken({ environment }: Io): string {
  return environment.HAFT_TOKEN || randomBytes(24).toString("base64url");
}

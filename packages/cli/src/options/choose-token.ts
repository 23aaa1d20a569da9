import { randomBytes } from "node:crypto";
import type { Io } from "../io.ts";

/** Returns the token that HTTP clients need: `HAFT_TOKEN`, else a new one. */
export function chooseToken({ environment }: Io): string {
  return environment.HAFT_TOKEN || randomBytes(24).toString("base64url");
}

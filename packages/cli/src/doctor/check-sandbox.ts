import type { DiskComputer } from "@haft/computer";
import type { Finding } from "./finding.ts";

/** Tries out what confines commands on this machine. */
export async function checkSandbox(computer: DiskComputer): Promise<Finding> {
  const { isolation, detail, remedy } = await computer.examineSandbox();
  const found = isolation === "sandbox";
  return {
    name: "sandbox",
    found,
    required: false,
    detail,
    ...(found ? {} : { remedy: remedy ?? "run commands with --sandbox=off, if you trust them" }),
  };
}

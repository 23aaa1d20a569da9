import type { Manifest } from "@haft/core";
import type { AgentManifest } from "./agent-manifest.ts";

/** What an agent declares about itself, as a session is told. */
export function toCoreManifest({ name, requires, rules }: AgentManifest): Manifest {
  return {
    name,
    ...(requires === undefined ? {} : { requires }),
    ...(rules === undefined ? {} : { rules }),
  };
}

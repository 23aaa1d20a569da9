import type { Manifest } from "./manifest.ts";
import type { Mode } from "./mode.ts";

/** The role of the agent in a session: its mode and its manifest. */
export interface SessionRole {
  readonly mode?: Mode | undefined;
  readonly manifest?: Manifest | undefined;
}

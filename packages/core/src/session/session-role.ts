import type { Manifest } from "./manifest.ts";
import type { Mode } from "./mode.ts";

/** Who acts in a session: which tools it uses and what it declares about itself. */
export interface SessionRole {
  readonly mode?: Mode | undefined;
  readonly manifest?: Manifest | undefined;
}

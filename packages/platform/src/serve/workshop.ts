import type { Builder } from "../publish/builder.ts";
import type { Runner } from "../runner/runner.ts";
import type { ArtifactStore } from "../versions/resolved-version.ts";
import type { Observers } from "./observe.ts";

/** Where tools are run and built: here, or by workers. */
export interface Workshop {
  readonly runner: Runner;
  readonly builder: Builder;
  /** Throws a `Problem` that says what is missing if nothing can be run. */
  ready(): Promise<void>;
  /** Takes nothing new and waits for what is under way; after a while what still runs fails. */
  close(graceMs: number): Promise<void>;
}

/** What a workshop is furnished with. */
export interface WorkshopPlace extends Observers {
  readonly directory: string;
  readonly artifacts: ArtifactStore;
}

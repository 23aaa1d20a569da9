import type { AmpOptions, OpenAmp } from "./open-amp.ts";

/** One statement of a document, and what proves it. */
export interface Row {
  /** Document and lines, such as `001:77`. */
  readonly lines: string;
  readonly says: string;
  readonly options?: AmpOptions;
  readonly holds: (amp: OpenAmp) => Promise<void>;
}

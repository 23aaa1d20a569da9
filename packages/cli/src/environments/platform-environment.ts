/** A platform that commands talk to, and with which key. */
export interface PlatformEnvironment {
  readonly url: string;
  readonly apiKey: string;
  readonly organization: string | undefined;
  /** Where this was found, for a person. */
  readonly source: string;
}

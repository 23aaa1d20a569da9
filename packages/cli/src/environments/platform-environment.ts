/** Address and API key of a platform. */
export interface PlatformEnvironment {
  readonly url: string;
  readonly apiKey: string;
  readonly organization: string | undefined;
  /** Where this was found, for messages. */
  readonly source: string;
}

/** How files go through a client. */
export interface FileDelegation {
  /** Absent where the client does not offer it. */
  readonly read?: ((path: string) => Promise<string>) | undefined;
  readonly write?: ((path: string, content: string) => Promise<void>) | undefined;
  /** Where a path lands after links. */
  identify(path: string): string;
  /** The client's name of a landing in the workspace; `undefined` for all others. */
  findName(landing: string): string | undefined;
  /** Has the journal take other bytes for what files held, by landing, while something is done. */
  withStandIns<Done>(
    standIns: ReadonlyMap<string, Uint8Array>,
    act: () => Promise<Done>,
  ): Promise<Done>;
}

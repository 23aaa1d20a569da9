/** How files are read and written through a client. */
export interface FileDelegation {
  /** Absent if the client does not support it. */
  readonly read?: ((path: string) => Promise<string>) | undefined;
  readonly write?: ((path: string, content: string) => Promise<void>) | undefined;
  /** Resolves the links of a path. */
  identify(path: string): string;
  /** Returns the client's spelling of a resolved path in the workspace, `undefined` for others. */
  findName(landing: string): string | undefined;
  /** Runs a function while the journal uses other bytes as the previous content of files, by resolved path. */
  withStandIns<Done>(
    standIns: ReadonlyMap<string, Uint8Array>,
    act: () => Promise<Done>,
  ): Promise<Done>;
}

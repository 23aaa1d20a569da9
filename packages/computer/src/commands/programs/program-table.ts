/** Lines about programs, in the notation of `ProgramEntry`. */
export type ProgramTable = Readonly<Record<string, string>>;

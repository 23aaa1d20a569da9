import type { Io } from "../../../io.ts";

/** The outside world of a test, with what was written to it. */
export interface TestIo extends Io {
  readonly shown: { out: string; error: string };
}

/** Makes an outside world without a terminal, but for what is said otherwise. */
export function createTestIo(changes: Partial<Io> = {}): TestIo {
  const shown = { out: "", error: "" };
  return {
    shown,
    out: (text) => {
      shown.out += text;
    },
    error: (text) => {
      shown.error += text;
    },
    readInput: async () => "",
    readLine: async () => undefined,
    environment: {},
    directory: "/nowhere",
    interactive: false,
    outputIsTerminal: false,
    signal: new AbortController().signal,
    ...changes,
  };
}

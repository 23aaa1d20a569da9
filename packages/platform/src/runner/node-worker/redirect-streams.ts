import { Readable, Writable } from "node:stream";

/** Leads what the tool prints to `log`, and gives it nothing to read. */
export function redirectStreams(log: (text: string) => void): void {
  const lead = (name: "stdout" | "stderr", fd: number): void => {
    const stream = Object.assign(
      new Writable({
        decodeStrings: false,
        write: (chunk: Buffer | string, _encoding, done) => {
          log(typeof chunk === "string" ? chunk : chunk.toString("utf8"));
          done();
        },
      }),
      { fd },
    );
    Object.defineProperty(process, name, { configurable: true, get: () => stream });
  };
  lead("stdout", 1);
  lead("stderr", 2);
  const nothing = Readable.from([]);
  Object.defineProperty(process, "stdin", { configurable: true, get: () => nothing });
}

import { HeadAndTail } from "@haft/computer/internal";

/** A log of any length. The middle is left out when it gets too long. */
export interface BoundedLog {
  add(text: string): void;
  text(): string;
}

/** Creates a log that keeps at most `maxBytes`: half from the beginning, half from the end. */
export function createBoundedLog(maxBytes: number): BoundedLog {
  const half = Math.floor(maxBytes / 2);
  const kept = new HeadAndTail({ head: half, tail: half });
  return {
    add: (text) => kept.add(Buffer.from(text)),
    text: () => {
      const { head, tail, omittedBytes } = kept.toTexts();
      return omittedBytes === 0 ? head : `${head}\n… ${omittedBytes} bytes are left out …\n${tail}`;
    },
  };
}

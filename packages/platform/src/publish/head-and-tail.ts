/** A text of which the beginning and the end are kept when it gets too long. */
export interface HeadAndTail {
  add(text: string): void;
  text(): string;
}

/** Collects a text of any length, keeping about so many characters of it. */
export function createHeadAndTail(most: number): HeadAndTail {
  const half = Math.floor(most / 2);
  let head = "";
  let tail = "";
  let dropped = 0;
  return {
    add: (text) => {
      const fitting = text.slice(0, half - head.length);
      head += fitting;
      tail += text.slice(fitting.length);
      // Not at every addition: copying the end each time would take long.
      if (tail.length > 2 * half) {
        dropped += tail.length - half;
        tail = tail.slice(-half);
      }
    },
    text: () => {
      const cut = Math.max(0, tail.length - half);
      const missing = dropped + cut;
      if (missing === 0) return head + tail;
      return `${head}\n… ${missing} characters are left out …\n${tail.slice(cut)}`;
    },
  };
}

import type { Io } from "../../io.ts";
import type { StatusLine } from "./status-line.ts";

/** Where an agent's work is shown: the answer on standard output, everything else on standard error. */
export interface Screen {
  /** A part of the answer. */
  answer(text: string): void;
  /** The answer goes on in a line of its own, if it goes on. */
  endAnswer(): void;
  /** A line beside the answer. */
  line(text: string): void;
  /** What is going on; `undefined`: nothing. */
  status(text: string | undefined): void;
  /** For whoever else writes and asks meanwhile. */
  readonly io: Io;
}

/** Makes a screen; without a status line nothing is ever taken back from it. */
export function createScreen(io: Io, status?: StatusLine): Screen {
  let reading = 0;
  const late: (() => void)[] = [];
  // What comes while a person types waits until they are done.
  const inTime = (write: () => void): void => {
    if (reading === 0) write();
    else late.push(write);
  };
  let isAnswerOpen = false;
  let isErrorOpen = false;
  const endAnswer = (): void => {
    if (!isAnswerOpen) return;
    io.out("\n");
    isAnswerOpen = false;
    updateStatus();
  };
  const answer = (text: string): void => {
    if (text === "") return;
    status?.hide();
    io.out(text);
    isAnswerOpen = !text.endsWith("\n");
    updateStatus();
  };
  const error = (text: string): void => {
    if (text === "") return;
    status?.hide();
    // In a file the answer stays as it is; on a terminal nothing is to begin in the middle of it.
    if (io.outputIsTerminal) endAnswer();
    io.error(text);
    isErrorOpen = !text.endsWith("\n");
    updateStatus();
  };
  let resume: (() => void) | undefined;
  // A line that is begun is not drawn over.
  function updateStatus(): void {
    const isOpen = isErrorOpen || (isAnswerOpen && io.outputIsTerminal);
    if (isOpen) resume ??= status?.suspend();
    else {
      resume?.();
      resume = undefined;
    }
  }
  const showAnswer = (text: string): void => {
    // A file has nobody who types in it.
    if (io.outputIsTerminal) inTime(() => answer(text));
    else answer(text);
  };
  return {
    answer: showAnswer,
    endAnswer: () => (io.outputIsTerminal ? inTime(endAnswer) : endAnswer()),
    line: (text) => inTime(() => error(isErrorOpen ? `\n${text}\n` : `${text}\n`)),
    status: (text) => status?.set(text),
    io: {
      ...io,
      out: showAnswer,
      error: (text) => inTime(() => error(text)),
      readLine: async (prompt, signal, initial) => {
        const goOn = status?.suspend();
        reading++;
        try {
          return await io.readLine(prompt, signal, initial);
        } finally {
          reading--;
          isErrorOpen = false;
          for (const write of late.splice(0)) inTime(write);
          goOn?.();
        }
      },
    },
  };
}

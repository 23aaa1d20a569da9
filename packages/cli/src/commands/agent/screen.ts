import type { Io } from "../../io.ts";
import type { StatusLine } from "./status-line.ts";

/** Prints an agent's work: the answer to standard output, everything else to standard error. */
export interface Screen {
  /** Prints a part of the answer. */
  answer(text: string): void;
  /** Continues the answer, if there is more, on a new line. */
  endAnswer(): void;
  /** Prints a line that is not part of the answer. */
  line(text: string): void;
  /** Sets the status; `undefined` for none. */
  status(text: string | undefined): void;
  /** The input and output for everything else that prints and asks. */
  readonly io: Io;
}

/** Creates a screen. Without a status line, printed text is never erased. */
export function createScreen(io: Io, status?: StatusLine): Screen {
  let reading = 0;
  const late: (() => void)[] = [];
  // Output that arrives while the person types waits.
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
    // In a file the answer stays as it is; on a terminal, other output starts on a new line.
    if (io.outputIsTerminal) endAnswer();
    io.error(text);
    isErrorOpen = !text.endsWith("\n");
    updateStatus();
  };
  let resume: (() => void) | undefined;
  // The status does not overwrite an unfinished line.
  function updateStatus(): void {
    const isOpen = isErrorOpen || (isAnswerOpen && io.outputIsTerminal);
    if (isOpen) resume ??= status?.suspend();
    else {
      resume?.();
      resume = undefined;
    }
  }
  const showAnswer = (text: string): void => {
    // Only a terminal has typed input.
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
      readLine: async (prompt, signal, line) => {
        const goOn = status?.suspend();
        reading++;
        try {
          return await io.readLine(prompt, signal, line);
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

/** The last line of a terminal, with the current activity and its duration. */
export interface StatusLine {
  /** Sets the activity; `undefined` hides the line. */
  set(text: string | undefined): void;
  /** Erases the line until it is drawn again. */
  hide(): void;
  /** Stops drawing while something else uses the terminal, until the returned function is called. */
  suspend(): () => void;
  close(): void;
}

/** Options of a status line. */
export interface StatusLineOptions {
  write(text: string): void;
  columns(): number;
  /** A monotonic clock in milliseconds. */
  now?(): number;
  /** Calls the function repeatedly until the returned function is called. */
  repeat?(draw: () => void): () => void;
}

const frames = [..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"];
const frameMs = 100;
const erase = "\r\u001b[K";

/** Creates a status line. */
export function createStatusLine(options: StatusLineOptions): StatusLine {
  const { write, columns, now = () => performance.now(), repeat = everyFrame } = options;
  let text: string | undefined;
  let since = 0;
  let frame = 0;
  let isDrawn = false;
  let suspended = 0;
  let stop: (() => void) | undefined;
  const hide = (): void => {
    if (isDrawn) write(erase);
    isDrawn = false;
  };
  const draw = (): void => {
    if (text === undefined || suspended > 0) return;
    const seconds = Math.floor((now() - since) / 1000);
    const line = `${frames[frame++ % frames.length]} ${seconds === 0 ? "" : `${seconds} s `}${text}`;
    // At most one row: a wrapped line could not be erased.
    write(`${erase}${clipTo(line, columns() - 1)}`);
    isDrawn = true;
  };
  const set = (next: string | undefined): void => {
    if (next === undefined) {
      hide();
      stop?.();
      stop = undefined;
    } else {
      if (text === undefined) since = now();
      stop ??= repeat(draw);
    }
    text = next;
  };
  return {
    set,
    hide,
    suspend: () => {
      hide();
      suspended++;
      return () => {
        suspended--;
      };
    },
    close: () => set(undefined),
  };
}

function everyFrame(draw: () => void): () => void {
  const timer = setInterval(draw, frameMs);
  timer.unref();
  return () => clearInterval(timer);
}

function clipTo(line: string, columns: number): string {
  let width = 0;
  let fitting = "";
  for (const character of line) {
    // Other characters may be two columns wide.
    width += character < "\u0300" ? 1 : 2;
    if (width > columns) break;
    fitting += character;
  }
  return fitting;
}

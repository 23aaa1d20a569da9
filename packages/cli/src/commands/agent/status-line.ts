/** One line at the end of a terminal that tells what is going on, and for how long. */
export interface StatusLine {
  /** Says what is going on from now on; `undefined`: nothing that is worth a line. */
  set(text: string | undefined): void;
  /** Takes the line away, until it is drawn again. */
  hide(): void;
  /** Stops drawing, for somebody else uses the terminal, until the returned function is called. */
  suspend(): () => void;
  close(): void;
}

/** What a status line is drawn with. */
export interface StatusLineOptions {
  write(text: string): void;
  columns(): number;
  /** Milliseconds that only go forward. */
  now?(): number;
  /** Calls it again and again, until what it returns is called. */
  repeat?(draw: () => void): () => void;
}

const frames = [..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"];
const frameMs = 100;
const erase = "\r\u001b[K";

/** Makes a status line. */
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
    // No more than one row: a line that wraps could not be taken away.
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
    // Whatever is not plain may be two columns wide.
    width += character < "\u0300" ? 1 : 2;
    if (width > columns) break;
    fitting += character;
  }
  return fitting;
}

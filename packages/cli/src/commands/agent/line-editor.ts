import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { enterAtKey, type Io, type LineOptions, type TerminalStreams } from "../../io.ts";
import { type History, openHistory } from "./history-file.ts";
import { createPasteSplitter, type TypedPart } from "./paste-splitter.ts";

/** What the person did at a prompt. */
export type Typed =
  | { readonly type: "text"; readonly text: string }
  /** Ctrl-C, and whether the line was empty. */
  | { readonly type: "interrupted"; readonly wasEmpty: boolean }
  | { readonly type: "end" };

/** Reads prompts and answers from a terminal. */
export interface LineEditor {
  /** Reads the next prompt: one line, or several that end with a backslash except the last. */
  read(prompt: string): Promise<Typed>;
  /** Reads the answer to a question. Keys typed before the question are ignored. */
  ask: Io["readLine"];
  /** Called on Ctrl-C unless a prompt is being read. */
  onInterrupt(listener: (() => void) | undefined): void;
  /** Acts as if Ctrl-C had been pressed. */
  interrupt(): void;
  close(): void;
}

/** Options of a line editor. */
export interface LineEditorOptions extends TerminalStreams {
  readonly history: History;
  /** Whether the terminal understands only plain text. */
  readonly isPlain: boolean;
}

interface Reading {
  take(part: TypedPart): void;
  interrupt(): void;
  end(): void;
}

type Line = Typed & { readonly pasted?: ReadonlyMap<string, string> };

const maxTypedAhead = 10_000;
const interruptKey = "\u0003";

/**
 * Takes over a terminal. It stays in raw mode, so that Ctrl-C is a key and does not reach programs that
 * the agent runs. Keys typed while nothing is read wait for the next prompt.
 */
function openLineEditor(options: LineEditorOptions): LineEditor {
  const { input, output, history, isPlain } = options;
  const decoder = new StringDecoder("utf8");
  const split = createPasteSplitter();
  let reading: Reading | undefined;
  let waiting: TypedPart[] = [];
  let listener: (() => void) | undefined;
  let isOver = false;
  let isClosed = false;

  const take = (part: TypedPart): void => {
    if (reading !== undefined) reading.take(part);
    else if (part.type === "keys" && part.text.includes(interruptKey)) {
      waiting = [];
      listener?.();
    } else if (waiting.length < maxTypedAhead) waiting.push(part);
  };
  const onData = (chunk: Buffer): void => {
    for (const part of split(decoder.write(chunk))) for (const one of toLines(part)) take(one);
  };
  const onEnd = (): void => {
    isOver = true;
    reading?.end();
  };
  // A plain terminal echoes keys itself and sends Ctrl-C as a signal.
  if (!isPlain) input.setRawMode(true);
  input.on("data", onData).on("end", onEnd);
  if (!isPlain) output.write("\u001b[?2004h");

  const readLine = (prompt: string, manner: Manner): Promise<Line> => {
    if (isOver) return Promise.resolve({ type: "end" });
    const { promise, resolve } = Promise.withResolvers<Line>();
    const finish = (line: Line): void => {
      reading = undefined;
      resolve(line);
    };
    reading = beginLine(prompt, manner, { options, finish });
    if (manner.isQuestion) return promise;
    const ahead = waiting;
    waiting = [];
    for (const part of ahead) take(part);
    return promise;
  };

  return {
    read: async (prompt) => {
      let said = "";
      for (;;) {
        const entries = history.entries().map((entry) => entry.replaceAll(/\s*\n\s*/gu, " "));
        const line = await readLine(said === "" ? prompt : "… ", { history: entries });
        if (line.type === "interrupted" && said !== "") return { ...line, wasEmpty: false };
        if (line.type !== "text") return line;
        const isLast = !line.text.endsWith("\\");
        said += fill(isLast ? line.text : `${line.text.slice(0, -1)}\n`, line.pasted);
        if (!isLast) continue;
        if (said.trim() !== "") history.add(said);
        return { type: "text", text: said };
      }
    },
    ask: async (prompt, signal, options = {}) => {
      if (signal.aborted) return undefined;
      const stop = (): void => reading?.end();
      signal.addEventListener("abort", stop, { once: true });
      const line = await readLine(prompt, { isQuestion: true, ...options });
      signal.removeEventListener("abort", stop);
      if (line.type === "interrupted") listener?.();
      return line.type === "text" ? line.text : undefined;
    },
    onInterrupt: (next) => {
      listener = next;
    },
    interrupt: () => {
      if (reading === undefined) listener?.();
      else reading.interrupt();
    },
    close: () => {
      if (isClosed) return;
      isClosed = true;
      onEnd();
      input.off("data", onData).off("end", onEnd);
      input.pause();
      if (isPlain) return;
      input.setRawMode(false);
      output.write("\u001b[?2004l");
    },
  };
}

interface Manner extends LineOptions {
  readonly isQuestion?: boolean;
  readonly history?: readonly string[];
}

interface LineParts {
  readonly options: LineEditorOptions;
  finish(line: Line): void;
}

function beginLine(prompt: string, manner: Manner, { options, finish }: LineParts): Reading {
  const { input, output, isPlain } = options;
  const keys = new PassThrough();
  const pasted = new Map<string, string>();
  const lines = createInterface({
    input: keys,
    output,
    terminal: !isPlain,
    history: [...(manner.history ?? [])],
    removeHistoryDuplicates: true,
    escapeCodeTimeout: 50,
  });
  enterAtKey(keys, lines, manner.keys ?? []);
  let isDone = false;
  const done = (line: Line): void => {
    if (isDone) return;
    isDone = true;
    lines.close();
    finish(line);
  };
  const interrupt = (): void => {
    const wasEmpty = lines.line === "";
    output.write("^C\n");
    done({ type: "interrupted", wasEmpty });
  };
  lines.on("line", (text) => done({ type: "text", text, pasted }));
  lines.on("close", () => {
    if (isDone) return;
    output.write("\n");
    done({ type: "end" });
  });
  lines.on("SIGINT", interrupt);
  lines.on("SIGTSTP", () => {
    input.setRawMode(false);
    process.once("SIGCONT", () => {
      input.setRawMode(true);
      if (!isDone) lines.prompt(true);
    });
    process.kill(process.pid, "SIGTSTP");
  });
  lines.setPrompt(prompt);
  lines.prompt();
  if (manner.initial) lines.write(manner.initial);
  return {
    take: (part) => {
      // Emitted, not written: the line is read when this returns, and later keys are not lost.
      if (part.type === "keys") keys.emit("data", Buffer.from(part.text));
      else lines.write(manner.isQuestion ? flatten(part.text) : keep(part.text, pasted));
    },
    interrupt,
    end: () => lines.close(),
  };
}

// Lines are passed on one by one: the next may belong to another reader.
function toLines(part: TypedPart): TypedPart[] {
  if (part.type === "paste") return [part];
  const lines = part.text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+/gu) ?? [];
  return lines.map((text) => ({ type: "keys", text: text.replace("\r\n", "\r") }));
}

// Several pasted lines appear as one word in the edited line.
function keep(text: string, pasted: Map<string, string>): string {
  if (!text.trimEnd().includes("\n")) return flatten(text);
  const word = `[pasted ${pasted.size + 1}: ${text.split("\n").length} lines]`;
  pasted.set(word, text);
  return word;
}

function flatten(text: string): string {
  return text.trimEnd().replaceAll(/\p{Cc}/gu, " ");
}

function fill(line: string, pasted: ReadonlyMap<string, string> = new Map()): string {
  let filled = line;
  for (const [word, text] of pasted) filled = filled.replace(word, () => text);
  return filled;
}

/** A terminal for a conversation. */
interface OpenedTalk {
  /** Reads through the editor once it is open. */
  readonly readLine: Io["readLine"];
  /** Opens the editor with the history of a workspace. */
  edit(stateDirectory: string, workspace: string): LineEditor;
}

/** Lets questions and prompts share one terminal. The host exists before the editor is open. */
export function openTalk(terminal: TerminalStreams, io: Io): OpenedTalk {
  let editor: LineEditor | undefined;
  return {
    readLine: (prompt, signal, line) =>
      editor === undefined ? io.readLine(prompt, signal, line) : editor.ask(prompt, signal, line),
    edit: (stateDirectory, workspace) => {
      const history = openHistory(stateDirectory, workspace);
      editor = openLineEditor({ ...terminal, history, isPlain: io.environment.TERM === "dumb" });
      return editor;
    },
  };
}

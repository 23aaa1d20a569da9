import type { DialectAlias } from "../dialect.ts";

// The first line may set options. Any text is a program.
const grammar = String.raw`start: options program | program
options: OPTIONS NEWLINE
program: TEXT
OPTIONS: /[ \t]*\/\/[ \t]*@exec:[^\r\n]*/
NEWLINE: /\r?\n/
TEXT: /[\s\S]+/
`;

/** `exec`: runs a program that calls tools. One that takes long goes on in the background. */
export const exec: DialectAlias = {
  name: "exec",
  tool: "run_code",
  description: [
    "Runs JavaScript that calls your tools: raw source, no JSON, no fences. Only what it outputs comes back.",
    "`await tools.NAME(args)` calls a tool with the permissions of a direct call; a failed call rejects with a text. Names in ALL_TOOLS ({name, description}[]).",
    "text(value) and image(dataUrl) add output. store(key, value) and load(key) keep JSON between programs. notify(text) tells you something at once. yield_control() returns the output so far while the program goes on. exit() ends it. setTimeout works; there is no console, file system, network or import.",
    'After yield_time_ms (default 10000) a running program is left as a cell; use `code_output` with its ID. First line, optional: // @exec: {"yield_time_ms": 10000, "max_output_tokens": 10000}',
    "What it changes is one step for `undo_edit`.",
  ].join("\n"),
  parameters: {
    type: "object",
    properties: {
      input: { type: "string", minLength: 1, description: "The JavaScript source." },
    },
    required: ["input"],
  },
  freeform: { parameter: "input", grammar },
  settings: { cells: true },
  // The program may show images.
  maxOutput: { bytes: 16 * 1024 * 1024 },
  toArguments: ({ input }) => ({ code: input }),
  toData: toContent,
};

/** `wait`: returns what a cell has output since, or ends it. */
export const wait: DialectAlias = {
  name: "wait",
  tool: "code_output",
  description:
    "Waits for a cell of `run_code` and returns only what it has output since. A cell that has ended is closed with its last output. Set terminate to end it.",
  maxOutput: { bytes: 16 * 1024 * 1024 },
  toData: toContent,
};

interface CellData {
  readonly status: "running" | "completed" | "failed" | "terminated";
  readonly cell_id: string;
  readonly wall_time_seconds: number;
  readonly content: readonly object[];
  readonly error?: string;
}

function toContent(data: unknown): unknown {
  const { status, cell_id, wall_time_seconds: seconds, content, error } = data as CellData;
  const state = status === "running" ? `running with cell ID ${cell_id}` : status;
  const header = `Script ${state}\nWall time ${seconds.toFixed(1)} seconds\nOutput:\n`;
  return {
    content: [
      { type: "text", text: header },
      ...content,
      ...(error === undefined ? [] : [{ type: "text", text: `Script error:\n${error}` }]),
    ],
  };
}

import type { Io, TerminalStreams } from "../../io.ts";
import { openHistory } from "./history-file.ts";
import { type LineEditor, openLineEditor } from "./line-editor.ts";

/** A terminal that is going to be talked in. */
export interface OpenedTalk {
  /** Asks through the editor as soon as there is one. */
  readonly readLine: Io["readLine"];
  /** Takes the terminal over, with the history of a workspace. */
  edit(stateDirectory: string, workspace: string): LineEditor;
}

/** Has questions and prompts share one terminal, though who asks is made before what reads. */
export function openTalk(terminal: TerminalStreams, io: Io): OpenedTalk {
  let editor: LineEditor | undefined;
  return {
    readLine: (prompt, signal, initial) =>
      editor === undefined
        ? io.readLine(prompt, signal, initial)
        : editor.ask(prompt, signal, initial),
    edit: (stateDirectory, workspace) => {
      const history = openHistory(stateDirectory, workspace);
      editor = openLineEditor({ ...terminal, history, isPlain: io.environment.TERM === "dumb" });
      return editor;
    },
  };
}

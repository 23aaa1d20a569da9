import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import { highlight, openShadow, theme } from "./codemirror.ts";

interface EditorProps {
  readonly label: string;
  readonly value: string;
  onChange(value: string): void;
}

/** An editor for JSON. Tab leaves it, as it does any other field. */
export function Editor({ label, value, onChange }: EditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const change = useRef(onChange);
  change.current = onChange;
  useEffect(() => {
    const root = openShadow(place.current as HTMLDivElement);
    const editor = new EditorView({
      doc: value,
      root,
      parent: root,
      extensions: [
        lineNumbers(),
        history(),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        json(),
        highlight,
        theme,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": label }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) change.current(update.state.doc.toString());
        }),
      ],
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);
  useEffect(() => {
    const editor = view.current;
    if (editor === undefined || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  return <div class="editor" ref={place} />;
}

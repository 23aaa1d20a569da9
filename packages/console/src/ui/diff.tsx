import { javascript } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import { highlight, openShadow, theme } from "./codemirror.ts";
import { show } from "./show.ts";

interface DiffProps {
  readonly label: string;
  readonly before: string;
  readonly after: string;
  /** Decides on the colours. */
  readonly path: string;
}

const narrow = 700;

/** The differences of two texts. */
export function Diff({ label, before, after, path }: DiffProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current as HTMLDivElement;
    const root = openShadow(element);
    const extensions: Extension[] = [
      lineNumbers(),
      EditorState.readOnly.of(true),
      EditorView.editable.of(false),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
      ...(path.endsWith(".json") ? [json()] : []),
      ...(/\.[cm]?[jt]sx?$/u.test(path) ? [javascript({ typescript: true })] : []),
      highlight,
      theme,
    ];
    const [a, b] = [visible(before), visible(after)];
    const collapseUnchanged = { margin: 3, minSize: 6 };
    const view =
      element.clientWidth < narrow
        ? new EditorView({
            doc: b,
            root,
            parent: root,
            extensions: [
              ...extensions,
              unifiedMergeView({ original: a, mergeControls: false, collapseUnchanged }),
            ],
          })
        : new MergeView({
            a: { doc: a, extensions },
            b: { doc: b, extensions },
            root,
            parent: root as unknown as Element,
            collapseUnchanged,
          });
    return () => view.destroy();
  }, [label, before, after, path]);
  return <div class="diff" ref={place} />;
}

// Line by line: `show` cuts what is very long.
function visible(text: string): string {
  return text.split("\n").map(show).join("\n");
}

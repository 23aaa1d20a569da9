import { show } from "./show.ts";
import { toast } from "./toasts.tsx";

/** A command or another text with a button that copies it. */
export function Command({ text, label = "Copy" }: { text: string; label?: string }) {
  return (
    <div class="command">
      <pre>
        <code>{show(text)}</code>
      </pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}

/** A button that copies a text. */
export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const copy = (): void =>
    void navigator.clipboard.writeText(text).then(
      () => toast("Copied."),
      () => toast("The browser does not allow copying here. Select the text instead.", true),
    );
  return (
    <button type="button" class="small" onClick={copy}>
      {label}
    </button>
  );
}

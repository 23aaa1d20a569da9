import { useState } from "preact/hooks";

interface ConfirmButtonProps {
  readonly label: string;
  /** What happens, asked in place of the button after the first click. */
  readonly question: string;
  readonly disabled?: boolean;
  onConfirm(): void;
}

/** A button for what can't be undone. It asks once more, where it is. */
export function ConfirmButton({ label, question, disabled, onConfirm }: ConfirmButtonProps) {
  const [state, setState] = useState<"new" | "asking" | "answered">("new");
  const close = (): void => setState("answered");
  if (state !== "asking") {
    return (
      <button
        type="button"
        class="small"
        disabled={disabled}
        ref={state === "answered" ? focus : null}
        onClick={() => setState("asking")}
      >
        {label}…
      </button>
    );
  }
  return (
    <fieldset class="confirm" onKeyDown={({ key }) => key === "Escape" && close()}>
      <legend>{question}</legend>
      <button
        type="button"
        class="small danger"
        onClick={() => {
          close();
          onConfirm();
        }}
      >
        {label}
      </button>
      {/* The safe answer has the focus. */}
      <button type="button" class="small" ref={focus} onClick={close}>
        Keep
      </button>
    </fieldset>
  );
}

function focus(button: HTMLButtonElement | null): void {
  button?.focus();
}

import { useMemo, useRef } from "preact/hooks";

/** Moves the focus to a row of a list that has only its visible rows in the page. */
export interface RowFocus {
  /** The row gets the focus, now or when it is in the page. */
  request(key: string): void;
  /** Called by each row when it is shown, with the element that takes the focus. */
  take(key: string, element: HTMLElement | null): void;
}

/** Creates the focus of a list. Rows that only come back into view don't take it from elsewhere. */
export function useRowFocus(): RowFocus {
  const wanted = useRef<string>(undefined);
  return useMemo(
    () => ({
      request: (key) => {
        wanted.current = key;
      },
      take: (key, element) => {
        if (wanted.current !== key || element === null) return;
        wanted.current = undefined;
        element.focus({ preventScroll: true });
      },
    }),
    [],
  );
}

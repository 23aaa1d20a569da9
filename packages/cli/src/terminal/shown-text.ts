/** Text for people about a call's data. */
export interface ShownText {
  readonly text: string;
  /** Remarks for standard error. With an empty list, an empty text is not printed. */
  readonly remarks?: readonly string[];
}

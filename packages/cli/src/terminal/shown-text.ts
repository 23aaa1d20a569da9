/** What a person is shown of a call's data. */
export interface ShownText {
  readonly text: string;
  /** What is to be said beside it; with an empty list, an empty text is not shown at all. */
  readonly remarks?: readonly string[];
}

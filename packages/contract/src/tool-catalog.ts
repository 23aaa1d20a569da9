/** A tool that a session has beside the built-in ones, as a search sees it. */
export interface CatalogEntry {
  readonly name: string;
  readonly description: string;
  /** Whether the model is shown it already, in this turn or from the next on. */
  readonly shown: boolean;
}

/** The tools from elsewhere that a session has, of which a model need not be shown all. */
export interface ToolCatalog {
  /** All of them, always the same list until something changed. */
  list(): readonly CatalogEntry[];
  /** Has the model shown these from the next turn on. */
  show(names: readonly string[]): void;
}

/** A tool that is not built in, as a search sees it. */
export interface CatalogEntry {
  readonly name: string;
  readonly description: string;
  /** Whether the model sees it in this step or from the next one on. */
  readonly shown: boolean;
}

/** The tools of a session that are not built in. The model may see only some of them. */
export interface ToolCatalog {
  /** Returns all of them. The list is the same object until something changes. */
  list(): readonly CatalogEntry[];
  /** Shows these tools to the model from the next step on. */
  show(names: readonly string[]): void;
}

/** A kind of model that manifests name, and that settings map to a model. */
export type ModelClass = "fast" | "strong" | "reasoning";

/** Every model class. */
export const modelClasses: readonly ModelClass[] = ["fast", "strong", "reasoning"];

/** Tells whether a name is that of a model class. */
export function isModelClass(name: string): name is ModelClass {
  return (modelClasses as readonly string[]).includes(name);
}

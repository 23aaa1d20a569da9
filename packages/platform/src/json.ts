/** A JSON object whose members nobody has looked at yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Tells whether an object is an image or audio whose `data` is base64, which must not be cut. */
export function isPicture({ type, data }: Readonly<Record<string, unknown>>): boolean {
  return (type === "image" || type === "audio") && typeof data === "string";
}

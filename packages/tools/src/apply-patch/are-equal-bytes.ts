/** Tells whether two arrays hold the same bytes. */
export function areEqualBytes(some: Uint8Array, others: Uint8Array): boolean {
  return some.length === others.length && some.every((byte, at) => byte === others[at]);
}

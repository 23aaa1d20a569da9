/** The names to try for a call's output, one after the other; a call may have several. */
export function* sidecarNames(callId: string): Generator<string, never> {
  const name = callId.replace(/[^A-Za-z0-9_-]/gu, "_").slice(0, 100) || "call";
  yield `${name}.txt`;
  for (let number = 2; ; number++) yield `${name}-${number}.txt`;
}

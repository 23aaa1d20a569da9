/** Yields candidate file names for a call's output; a call may have several outputs. */
export function* sidecarNames(callId: string): Generator<string, never> {
  const name = callId.replace(/[^A-Za-z0-9_-]/gu, "_").slice(0, 100) || "call";
  yield `${name}.txt`;
  for (let number = 2; ; number++) yield `${name}-${number}.txt`;
}

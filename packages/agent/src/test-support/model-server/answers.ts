import type { ModelAnswer, ModelCall } from "./model-answer.ts";

/** An answer of words only. */
export function say(text: string | readonly string[]): ModelAnswer {
  return { text };
}

/** An answer that is one call. */
export function call(name: string, args: unknown = {}): ModelAnswer {
  return { calls: [{ name, arguments: args }] };
}

/** An answer that is several calls at once. */
export function calls(
  list: readonly (ModelCall | readonly [name: string, args?: unknown])[],
): ModelAnswer {
  return { calls: list.map((one) => (isPair(one) ? toCall(one) : one)) };
}

function isPair(one: ModelCall | readonly [string, unknown?]): one is readonly [string, unknown?] {
  return Array.isArray(one);
}

function toCall([name, args = {}]: readonly [string, unknown?]): ModelCall {
  return { name, arguments: args };
}

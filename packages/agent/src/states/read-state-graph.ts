import { readStates } from "@haft/connect/published";
import { nearestNames } from "@haft/core";
import { readGraphState } from "./read-graph-state.ts";
import type { GraphState, StateGraphFile } from "./state-graph-file.ts";

/** Reads a graph of states. Throws a `TypeError` that names the place and the remedy. */
export function readStateGraph(value: unknown): StateGraphFile {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError('Give an object such as {"initial": "greet", "states": […]}.');
  }
  const { initial, states: given } = value as Readonly<Record<string, unknown>>;
  if (!Array.isArray(given) || given.length === 0) {
    throw new TypeError("states is to be a list of at least one state.");
  }
  const warnings: string[] = [];
  const read = given.map((state, index) => readGraphState(state, `states[${index}]`, warnings));
  // What the platform's tools need of a state is checked by those who use it.
  readStates(read.map(({ conversation }) => conversation));
  const states = new Map(read.map((state) => [state.name, state]));
  if (initial === undefined) {
    throw new TypeError(`initial is missing: name the state to begin in. ${listNames(states)}`);
  }
  requireState(initial, "initial", states);
  for (const [index, { next }] of read.entries()) {
    for (const [at, name] of next.entries()) {
      requireState(name, `states[${index}].next[${at}]`, states);
    }
  }
  for (const name of findUnreachable(initial as string, states)) {
    warnings.push(`The state ${JSON.stringify(name)} can't be reached: no next leads to it.`);
  }
  return { initial: initial as string, states, warnings };
}

type States = ReadonlyMap<string, GraphState>;

function requireState(name: unknown, place: string, states: States): void {
  if (typeof name === "string" && states.has(name)) return;
  const [near] = typeof name === "string" ? nearestNames(name, states.keys()) : [];
  const hint = near === undefined ? "" : ` Did you mean ${JSON.stringify(near)}?`;
  throw new TypeError(
    `${place}: there is no state ${JSON.stringify(name)}.${hint} ${listNames(states)}`,
  );
}

function listNames(states: States): string {
  return `States: ${[...states.keys()].join(", ")}.`;
}

function findUnreachable(initial: string, states: States): readonly string[] {
  const reached = new Set([initial]);
  for (const name of reached) for (const next of states.get(name)?.next ?? []) reached.add(next);
  return [...states.keys()].filter((name) => !reached.has(name));
}

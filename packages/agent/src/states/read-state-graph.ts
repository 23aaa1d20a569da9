import { readStates } from "@haft/connect/internal/published";
import { isPlainObject } from "@haft/contract/internal";
import { nearestNames } from "@haft/core/internal";
import { readGraphState } from "./read-graph-state.ts";
import type { GraphState, StateGraphFile } from "./state-graph-file.ts";

/** Parses a state graph. Throws a `TypeError` that names the field and what to do. */
export function readStateGraph(value: unknown): StateGraphFile {
  if (!isPlainObject(value)) {
    throw new TypeError(
      'A state graph must be an object such as {"initial": "greet", "states": […]}.',
    );
  }
  const { initial, states: given } = value;
  if (!Array.isArray(given) || given.length === 0) {
    throw new TypeError("states must be a list of at least one state.");
  }
  const warnings: string[] = [];
  const read = given.map((state, index) => readGraphState(state, `states[${index}]`, warnings));
  // The code that uses published tools checks their specs.
  readStates(read.map(({ conversation }) => conversation));
  const states = new Map(read.map((state) => [state.name, state]));
  if (initial === undefined) {
    throw new TypeError(`initial is missing: name the state to start in. ${listNames(states)}`);
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

function requireState(name: unknown, at: string, states: States): void {
  if (typeof name === "string" && states.has(name)) return;
  const [near] = typeof name === "string" ? nearestNames(name, states.keys()) : [];
  const hint = near === undefined ? "" : ` Did you mean ${JSON.stringify(near)}?`;
  throw new TypeError(
    `${at}: there is no state ${JSON.stringify(name)}.${hint} ${listNames(states)}`,
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

/** Tells whether a file's content is meant as a state graph, valid or not, and not as a list of states or specs. */
export function isStateGraph(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  if ("initial" in value) return true;
  const states = value.states;
  if (!Array.isArray(states)) return false;
  return states.some((state) => isPlainObject(state) && marks.some((mark) => mark in state));
}

// Only states of a graph have these fields.
const marks = ["next", "tools", "objective"];

import type { TurnEnd } from "@haft/agent";

const exitCodes: Readonly<Record<TurnEnd, number>> = {
  end: 0,
  error: 1,
  "max-steps": 3,
  "max-tokens": 3,
  "max-cost": 3,
  loop: 3,
  aborted: 130,
};

/** What `haft agent` exits with after a turn that ended so. */
export function exitCodeOfTurn(reason: TurnEnd): number {
  return exitCodes[reason];
}

/**
 * One process to start, as the broker is told of it. Everything in it is JSON: who makes the plan and
 * who starts the process live in different processes.
 */
export interface LaunchPlan {
  /** In full. */
  readonly program: string;
  readonly args: readonly string[];
  /** All of the environment, nothing is added to it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** What is open beside the three standard streams, from descriptor 3 on. */
  readonly descriptors: readonly LaunchDescriptor[];
  /** Whether the process and all it starts end together because it is the first of a namespace. */
  readonly endsTogether: boolean;
}

/**
 * What a descriptor is for. `content`: the process reads this and then the end. `place`: what is at
 * a path without links, found but not opened; who launches gets it from `openPlaces` and hands it
 * over as it is. `info`: it writes a JSON object with `child-pid`. `block`: it waits there for one
 * byte, which it gets once `child-pid` is known. `report`: it writes lines of JSON (`LaunchReport`),
 * which end with the process.
 */
export type LaunchDescriptor =
  | { readonly role: "content"; readonly base64: string }
  | { readonly role: "place"; readonly path: string }
  | { readonly role: "info" | "block" | "report" };

/** A line on the `report` descriptor: what still runs as the command has ended. */
export interface LaunchReport {
  readonly left: readonly {
    readonly pid: number;
    readonly command: string;
    readonly ports: readonly number[];
  }[];
}

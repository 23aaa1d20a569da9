/**
 * One process to start, as sent to the broker. It is JSON, because the process that makes the plan and
 * the one that starts it differ.
 */
export interface LaunchPlan {
  /** The full path. */
  readonly program: string;
  readonly args: readonly string[];
  /** The whole environment; nothing is added. */
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Open descriptors in addition to the standard streams, from 3 on. */
  readonly descriptors: readonly LaunchDescriptor[];
  /** Whether the process is the first of a PID namespace, so that everything ends with it. */
  readonly endsTogether: boolean;
}

/**
 * What a descriptor is for. `content`: the process reads this and then the end. `place`: an O_PATH
 * descriptor of a path without links, which the launcher gets from `openPaths` and passes on. `info`:
 * the process writes a JSON object with `child-pid`. `block`: it waits there for one byte, which it
 * gets once `child-pid` is known. `report`: it writes lines of JSON (`LaunchReport`) until it ends.
 */
export type LaunchDescriptor =
  | { readonly role: "content"; readonly base64: string }
  | { readonly role: "place"; readonly path: string }
  | { readonly role: "info" | "block" | "report" };

/** A line on the `report` descriptor: what still runs when the command has ended. */
export interface LaunchReport {
  readonly left: readonly {
    readonly pid: number;
    readonly command: string;
    readonly ports: readonly number[];
  }[];
}

import { findConfiner, type RunRequest, type SharedNetwork } from "../confine-run.ts";
import type { JobOrder } from "./job-messages.ts";

/** The network that the jobs of a session have in common, and commands join while there are jobs. */
export class JobNetwork {
  #opening: Promise<SharedNetwork | undefined> | undefined;

  /** The process that stands for it; `undefined` if there is none. */
  async find(): Promise<number | undefined> {
    return (await this.#opening)?.process;
  }

  /** The job's run in this network, which is opened for the first. */
  async enter({ confinement, request }: JobOrder): Promise<RunRequest> {
    this.#opening ??= findConfiner(confinement).then(({ openNetwork }) => openNetwork?.());
    try {
      const network = await this.find();
      return network === undefined ? request : { ...request, network };
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  /** Closes it; the next job opens another. */
  leave(): void {
    this.#opening?.then((network) => network?.close()).catch(() => {});
    this.#opening = undefined;
  }
}

/** A process that was still running. */
export interface LeftRunning {
  pid: number;
  command: string;
  ports: number[];
}

/** What a command printed, and how it ended. */
export interface BashData {
  /** Standard output and error in the order in which they came. */
  output: string;
  /** `null` if a signal ended it. */
  exit_code: number | null;
  signal?: string;
  /** The prompt at which it waited for a person, and was ended. */
  waited_for_input?: string;
  /** What the command left behind, which was ended. */
  left_running?: LeftRunning[];
  refused_hosts?: string[];
  notes?: string[];
  advice?: string;
}

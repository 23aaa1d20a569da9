/** A process that was still running when the command ended. */
export interface LeftRunning {
  pid: number;
  command: string;
  ports: number[];
}

/** The result of `bash`. */
export interface BashData {
  /** Standard output and error, interleaved. */
  output: string;
  /** `null` if a signal ended it or it goes on as a job. */
  exit_code: number | null;
  /** The job as which it goes on, because it reached its time limit. */
  job_id?: string;
  signal?: string;
  /** The prompt at which it waited for input and was stopped. */
  waited_for_input?: string;
  /** Background processes of the command, which were stopped. */
  left_running?: LeftRunning[];
  /** The diff of what it changed, if that is short. */
  diff?: string;
  refused_hosts?: string[];
  notes?: string[];
  advice?: string;
}

/** Limits of a program. */
interface ProgramLimits {
  /** Time limit of a program that sets none. */
  readonly timeoutMs: number;
  /** Memory of its heap, in megabytes. */
  readonly memoryMb: number;
  readonly calls: number;
  /** Characters of its output. */
  readonly output: number;
  /** Characters of its images, in base64. */
  readonly images: number;
  /** Characters of stored keys and values. */
  readonly stored: number;
  /** Characters of one message. */
  readonly message: number;
  /** Characters of all messages. */
  readonly total: number;
  readonly messages: number;
  /** Characters of answers that the program has not taken yet. */
  readonly unread: number;
}

const million = 1024 * 1024;

/** The limits of every program of `run_code`. */
export const programLimits: ProgramLimits = {
  timeoutMs: 120_000,
  memoryMb: 128,
  calls: 500,
  output: million,
  images: 8 * million,
  stored: 256 * 1024,
  message: 8 * million,
  total: 32 * million,
  messages: 20_000,
  unread: 32 * million,
};

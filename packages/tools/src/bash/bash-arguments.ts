/** The arguments of `bash`. */
export interface BashArguments {
  command: string;
  cwd?: string;
  timeout_ms?: number;
  on_timeout?: "background" | "stop";
}

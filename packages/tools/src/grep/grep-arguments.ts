/** The arguments of `grep`. */
export interface GrepArguments {
  pattern: string;
  path?: string;
  glob?: string;
  case_sensitive?: boolean;
  literal?: boolean;
  context?: number;
  offset?: number;
}

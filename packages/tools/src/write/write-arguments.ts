/** The arguments of `write`. */
export interface WriteArguments {
  path: string;
  content: string;
}

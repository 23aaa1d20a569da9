/** The arguments of `read`. */
export interface ReadArguments {
  path: string;
  offset?: number;
  limit?: number;
  byte_offset?: number;
  byte_limit?: number;
}

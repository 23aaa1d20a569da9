/** The arguments of `edit`. */
export interface EditArguments {
  path: string;
  old_string: string;
  new_string: string;
  replace_all?: boolean;
}

/** The fields that the format knows. */
export const skillFields: readonly string[] = [
  "name",
  "description",
  "license",
  "compatibility",
  "metadata",
  "allowed-tools",
];

/** The most that a description and the words on compatibility may have, in characters. */
export const longestDescription = 1024;
export const longestCompatibility = 500;

/** The most that a body may have, in bytes: it is to be read by a model at once. */
export const mostBodyBytes: number = 200 * 1024;

/** The fields that the skill format defines. */
export const skillFields: readonly string[] = [
  "name",
  "description",
  "license",
  "compatibility",
  "metadata",
  "allowed-tools",
];

/** Maximum length of a description and of the compatibility text, in characters. */
export const maxDescriptionLength = 1024;
export const maxCompatibilityLength = 500;

/** Maximum size of a body in bytes: a model reads it in one piece. */
export const maxBodyBytes: number = 200 * 1024;

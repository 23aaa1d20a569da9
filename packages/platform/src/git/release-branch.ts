/** Returns the branch that an organization publishes from. */
export function releaseBranch(organization: string): string {
  return `releases/${organization}`;
}

/** Where the instructions for a place are, in lines; none if there are none. */
export function describeGuidance(guidance: readonly string[] = []): string[] {
  return guidance.length === 0 ? [] : ["Instructions for this place are in:", ...guidance];
}

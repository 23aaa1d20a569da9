/**
 * Number of rows that are indexed at a time. Small, so that other queries do not wait long. A power
 * of two.
 */
export const indexSlice = 256;

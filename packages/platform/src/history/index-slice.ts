/**
 * The index takes so many rows at a time: few enough that nobody waits long for the database. A
 * power of two.
 */
export const indexSlice = 256;

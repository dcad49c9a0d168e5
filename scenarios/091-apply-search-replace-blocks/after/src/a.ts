export const a = 11;

export const a = 7;

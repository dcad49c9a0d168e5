export const a = 10;

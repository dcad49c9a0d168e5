export const a = 5;

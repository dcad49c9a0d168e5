export const d = 4;

export const tides = 1;

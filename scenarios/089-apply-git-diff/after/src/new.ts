export const n = 0;
export const m = 1;

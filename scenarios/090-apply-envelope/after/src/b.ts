export const b = 20;
export const c = 3;

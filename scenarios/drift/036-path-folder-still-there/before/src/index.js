export const name = "basic";

export const name = "dotterel";

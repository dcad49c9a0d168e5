export const name = "redstart";

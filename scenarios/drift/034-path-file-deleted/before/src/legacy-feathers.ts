export const feathers = 12;

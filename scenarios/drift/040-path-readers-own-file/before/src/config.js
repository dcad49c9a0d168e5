export const config = { depth: 3 };

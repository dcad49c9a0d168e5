const inner = (count: number): number => count + 1;

export const run = (): number => inner(1);

const addOne = (count: number): number => count + 1;

export const run = (): number => addOne(1);

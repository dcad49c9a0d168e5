export const fly = (): string => "up";

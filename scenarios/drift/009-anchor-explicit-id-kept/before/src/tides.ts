export const zone = "UTC";

import { createStore } from "pochard";

export const store = createStore({ count: 0 });
export type AppStore = typeof store;

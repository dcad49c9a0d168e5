import type { AppDispatch } from "./store.ts";

export const useAppDispatch = (store: AppDispatch): AppDispatch => store;

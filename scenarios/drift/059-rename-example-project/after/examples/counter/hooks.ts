import type { AppStore } from "./store.ts";

export const useAppDispatch = (store: AppStore): AppStore => store;

export type StoreDispatch<Action> = (action: Action) => void;

export function useDispatch<Action>(): StoreDispatch<Action> {
  return () => undefined;
}

export function withDispatch<Action>(dispatch: StoreDispatch<Action>): StoreDispatch<Action> {
  return dispatch;
}

export type Dispatch<Action> = (action: Action) => void;

export function useDispatch<Action>(): Dispatch<Action> {
  return () => undefined;
}

export function withDispatch<Action>(dispatch: Dispatch<Action>): Dispatch<Action> {
  return dispatch;
}

export function createStore<State>(state: State) {
  return { state };
}

/**
 * Creates a slice.
 *
 * @example
 *
 * const getUserById = createLoader("users/byId", loadUser)
 *
 * dispatch(getUserById(3))
 */
export function createLoader(name: string, load: (id: number) => unknown) {
  return { name, load };
}

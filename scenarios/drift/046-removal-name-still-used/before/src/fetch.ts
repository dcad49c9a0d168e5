export async function fetchUserById(id: string): Promise<string> {
  return id;
}

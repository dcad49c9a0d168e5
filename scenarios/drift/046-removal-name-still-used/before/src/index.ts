import { fetchUserById } from "./fetch.ts";

export { fetchUserById };

export async function greet(id: string): Promise<string> {
  return `Hello ${await fetchUserById(id)}`;
}

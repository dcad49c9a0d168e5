import { afterAll } from "vitest";
import { createRepository, type Repository } from "./repository.ts";

/** Makes repositories, and removes them after the tests of the file. */
export function repositoryMaker(): () => Repository {
  const made: Repository[] = [];
  afterAll(() => {
    for (const each of made) each.remove();
  });
  return () => {
    const repository = createRepository();
    made.push(repository);
    return repository;
  };
}

import type { Answer } from "./pool.ts";

/** How much CPU time the checks took. */
export function describeCpu(answers: readonly Answer[]): string {
  const spent = answers.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  const at = (share: number): string => spent[Math.floor((spent.length - 1) * share)]?.toFixed(0) ?? "–";
  return `CPU ms per check: median ${at(0.5)}, 95th ${at(0.95)}, worst ${at(1)}`;
}

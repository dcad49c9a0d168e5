export type CableMode = "slow" | "fast" | "turbo";

export function pull(mode: CableMode): CableMode {
  return mode;
}

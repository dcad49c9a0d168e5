export type CableMode = "slow" | "fast";

export function pull(mode: CableMode): CableMode {
  return mode;
}

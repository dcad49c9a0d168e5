/** One thing to learn from: its features, whether it was right, and how many like it there are. */
export type Example = {
  readonly features: Readonly<Record<string, number>>;
  readonly right: number;
  readonly weight: number;
};

export type Weights = Readonly<Record<string, number>>;

export type FitOptions = {
  /** How strongly weights are held near zero. */
  readonly ridge: number;
  /** Features with fewer examples than this are left out. */
  readonly fewest: number;
  readonly steps: number;
};

export const defaults: FitOptions = { ridge: 1, fewest: 8, steps: 400 };

/** Logistic regression with a ridge penalty, by accelerated gradient descent. The intercept is not penalised. */
export function fitLogistic(examples: readonly Example[], options: FitOptions = defaults): Weights {
  const names = namesOf(examples, options.fewest);
  const index = new Map(names.map((name, at) => [name, at]));
  const rows = examples.map(({ features, right, weight }) => {
    const kept = Object.entries(features).filter(([name]) => index.has(name));
    return {
      at: Int32Array.from(kept.map(([name]) => index.get(name)!)),
      value: Float64Array.from(kept.map(([, value]) => value)),
      right,
      weight,
    };
  });
  const size = names.length + 1;
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  let current = new Float64Array(size);
  let previous = current;
  let step = 1;
  let loss = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < options.steps; turn++) {
    const momentum = turn / (turn + 3);
    const ahead = current.map((value, at) => value + momentum * (value - previous[at]!));
    const { gradient, loss: before } = slope(rows, ahead, options.ridge, total);
    let next = ahead;
    for (; step > 1e-9; step /= 2) {
      next = ahead.map((value, at) => value - step * gradient[at]!);
      if (slope(rows, next, options.ridge, total).loss <= before - (step / 2) * dot(gradient, gradient))
        break;
    }
    previous = current;
    current = next;
    const now = slope(rows, current, options.ridge, total).loss;
    if (loss - now < 1e-10 && turn > 30) break;
    loss = now;
    step *= 1.5;
  }
  return {
    intercept: rounded(current[size - 1]!),
    ...Object.fromEntries(names.map((name, at) => [name, rounded(current[at]!)])),
  };
}

type Row = { at: Int32Array; value: Float64Array; right: number; weight: number };

function slope(
  rows: readonly Row[],
  weights: Float64Array,
  ridge: number,
  total: number,
): { gradient: Float64Array; loss: number } {
  const gradient = new Float64Array(weights.length);
  const last = weights.length - 1;
  let loss = 0;
  for (const { at, value, right, weight } of rows) {
    let sum = weights[last]!;
    for (let i = 0; i < at.length; i++) sum += weights[at[i]!]! * value[i]!;
    const said = 1 / (1 + Math.exp(-sum));
    loss += weight * (Math.log1p(Math.exp(-Math.abs(sum))) + Math.max(sum, 0) - right * sum);
    const off = weight * (said - right);
    for (let i = 0; i < at.length; i++) gradient[at[i]!]! += off * value[i]!;
    gradient[last]! += off;
  }
  for (let i = 0; i < last; i++) {
    gradient[i]! += ridge * weights[i]!;
    loss += (ridge / 2) * weights[i]! * weights[i]!;
  }
  return { gradient: gradient.map((value) => value / total), loss: loss / total };
}

function namesOf(examples: readonly Example[], fewest: number): string[] {
  const counts = new Map<string, number>();
  for (const { features } of examples)
    for (const name of Object.keys(features)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].flatMap(([name, count]) => (count >= fewest ? [name] : [])).sort();
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0);
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

export function probability(features: Readonly<Record<string, number>>, weights: Weights): number {
  let sum = weights.intercept ?? 0;
  for (const [name, value] of Object.entries(features)) sum += (weights[name] ?? 0) * value;
  return 1 / (1 + Math.exp(-sum));
}

/** Value at a point; the gradient is written into the second argument. */
export type Objective = (point: Float64Array, gradient: Float64Array) => number;

export interface MinimiseOptions {
  iterations?: number;
  /** Stop when the largest gradient entry falls below it. */
  tolerance?: number;
  memory?: number;
}

interface Pair {
  step: Float64Array;
  change: Float64Array;
  inverse: number;
}

/** L-BFGS with backtracking (Nocedal 1980). It is deterministic. */
export function minimise(objective: Objective, start: Float64Array, options: MinimiseOptions = {}): Float64Array {
  const { iterations = 200, tolerance = 1e-5, memory = 8 } = options;
  let point = Float64Array.from(start);
  let gradient = new Float64Array(point.length);
  let value = objective(point, gradient);
  const pairs: Pair[] = [];
  for (let round = 0; round < iterations && largest(gradient) > tolerance; round += 1) {
    const direction = descentDirection(gradient, pairs);
    const next = lineSearch(objective, { point, value, gradient, direction }, pairs.length === 0);
    if (next === null) break;
    addPair(pairs, pairOf(point, gradient, next.point, next.gradient), memory);
    const gained = value - next.value;
    ({ point, value, gradient } = next);
    if (gained < 1e-10 * Math.max(1, Math.abs(value))) break;
  }
  return point;
}

function addPair(pairs: Pair[], pair: Pair | null, memory: number): void {
  if (pair === null) return;
  pairs.push(pair);
  if (pairs.length > memory) pairs.shift();
}

function pairOf(point: Float64Array, gradient: Float64Array, nextPoint: Float64Array, nextGradient: Float64Array) {
  const step = nextPoint.map((value, index) => value - point[index]!);
  const change = nextGradient.map((value, index) => value - gradient[index]!);
  const product = dot(step, change);
  return product > 1e-12 ? { step, change, inverse: 1 / product } : null;
}

function descentDirection(gradient: Float64Array, pairs: readonly Pair[]): Float64Array {
  const direction = gradient.map((value) => -value);
  const factors: number[] = [];
  for (const { step, change, inverse } of [...pairs].reverse()) {
    const factor = inverse * dot(step, direction);
    factors.unshift(factor);
    addScaled(direction, change, -factor);
  }
  const last = pairs.at(-1);
  if (last !== undefined) scale(direction, 1 / (last.inverse * dot(last.change, last.change)));
  for (const [index, { step, change, inverse }] of pairs.entries()) {
    addScaled(direction, step, factors[index]! - inverse * dot(change, direction));
  }
  return direction;
}

interface Here {
  point: Float64Array;
  value: number;
  gradient: Float64Array;
  direction: Float64Array;
}

/** Halves the step until the Armijo condition holds; null if it never does. */
function lineSearch(objective: Objective, { point, value, gradient, direction }: Here, isFirst: boolean) {
  const slope = dot(gradient, direction);
  if (!(slope < 0)) return null;
  let length = isFirst ? Math.min(1, 1 / Math.sqrt(dot(direction, direction))) : 1;
  for (let attempt = 0; attempt < 40; attempt += 1, length /= 2) {
    const next = point.map((at, index) => at + length * direction[index]!);
    const nextGradient = new Float64Array(point.length);
    const nextValue = objective(next, nextGradient);
    if (nextValue <= value + 1e-4 * length * slope) return { point: next, value: nextValue, gradient: nextGradient };
  }
  return null;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += a[index]! * b[index]!;
  return sum;
}

function addScaled(into: Float64Array, from: Float64Array, factor: number): void {
  for (let index = 0; index < into.length; index += 1) into[index] = into[index]! + factor * from[index]!;
}

function scale(vector: Float64Array, factor: number): void {
  for (let index = 0; index < vector.length; index += 1) vector[index] = vector[index]! * factor;
}

function largest(vector: Float64Array): number {
  let max = 0;
  for (const value of vector) max = Math.max(max, Math.abs(value));
  return max;
}

export interface AnswerTimes {
  /** Milliseconds. */
  p50: number;
  p99: number;
}

const REQUESTS = 200;

/** Sends the same request 200 times in sequence. */
export async function timeAnswers(url: string, headers: Record<string, string>): Promise<AnswerTimes> {
  const times: number[] = [];
  for (let run = 0; run < REQUESTS; run += 1) times.push(await timeAnswer(url, { headers }));
  return toAnswerTimes(times);
}

export async function timeAnswer(url: string, init: RequestInit): Promise<number> {
  const started = performance.now();
  const response = await fetch(url, init);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return performance.now() - started;
}

export function toAnswerTimes(times: readonly number[]): AnswerTimes {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
  return { p50: at(0.5), p99: at(0.99) };
}

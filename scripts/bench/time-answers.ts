export interface ResponseTimes {
  /** Milliseconds. */
  p50: number;
  p99: number;
}

const REQUESTS = 200;

/** Sends the same request 200 times in sequence. */
export async function timeResponses(url: string, headers: Record<string, string>): Promise<ResponseTimes> {
  const times: number[] = [];
  for (let run = 0; run < REQUESTS; run += 1) times.push(await timeResponse(url, { headers }));
  return toResponseTimes(times);
}

export async function timeResponse(url: string, init: RequestInit): Promise<number> {
  const started = performance.now();
  const response = await fetch(url, init);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return performance.now() - started;
}

export function toResponseTimes(times: readonly number[]): ResponseTimes {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
  return { p50: at(0.5), p99: at(0.99) };
}

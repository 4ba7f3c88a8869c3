/**
 * How test runners print the name of a failed test, one alternative per family of runners: Go, pytest, unittest, Jest,
 * Vitest, Mocha, node:test, TAP, cargo, RSpec, .NET, Maven.
 */
const FAILED_TEST = [
  /^\s{0,12}--- FAIL: (\S{1,200})/,
  /^(?:FAILED|ERROR) (\S{1,200}::[^\s]{1,200}(?: [^\s-][^-]{0,60})?)(?= - |\s*$)/,
  /^ERROR (\S{1,200}\.py)(?= - |\s*$)/,
  /^(?:FAIL|ERROR): (\w{1,120} \([\w.]{1,200}\))/,
  /^\s{0,20}[✕✖×✗] (.{1,200}?)(?:\s\(?\d[\d.]{0,12}\s?m?s\)?)?\s*$/,
  /^\s{0,4}FAIL\s{1,4}(\S{1,200} > .{1,200}?)\s*$/,
  /^\s{0,20}not ok \d{1,6} -? ?((?:\S|\s(?!#)){1,200})(?:\s#|$)/,
  /^test (\S{1,200}) \.\.\. FAILED/,
  /^---- (\S{1,200}) stdout ----/,
  /^rspec (\.?\/?\S{1,200}:\d{1,6})/,
  /^\s{0,4}Failed (\S{1,200}) \[\d/,
  /^\[ERROR\]\s{1,4}(\w{1,100}[.#]\w{1,100}):\d/,
] as const;

const MAX_LINES = 4_000;
const MAX_NAMES = 50;

/** Names of the tests that the output of a run lists as failed, without duplicates. Long lines are not test names. */
export function failedTestNames(output: string): string[] {
  const names = new Set<string>();
  for (const line of lines(output)) {
    if (line.length > 400) continue;
    const name = nameIn(line);
    if (name !== null) names.add(name);
    if (names.size >= MAX_NAMES) break;
  }
  return [...names].filter((name) => ![...names].some((other) => other.startsWith(`${name}/`)));
}

/** The lines of an output; of a long output, the end, where runners list failures. */
function lines(output: string): string[] {
  return output.slice(-200_000).split('\n').slice(-MAX_LINES);
}

function nameIn(line: string): string | null {
  for (const pattern of FAILED_TEST) {
    const found = pattern.exec(line)?.[1]?.trim();
    if (found !== undefined && found !== '') return found;
  }
  return null;
}

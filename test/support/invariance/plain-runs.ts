import type { Json } from '../../../src/core/json.ts';
import type { Act, PlainRun } from './encodings.ts';
import type { Texts } from './parallel-texts.ts';

/** One announced call and its result: two acts. */
function call(n: number, name: string, args: Json, result: string, text: string, hasFailed = false): Act[] {
  const id = `call_${n}`;
  const ran = { kind: 'call', id, name, args, result } as const;
  return [{ kind: 'answer', text, calls: [{ id, name, args }] }, hasFailed ? { ...ran, hasFailed } : ran];
}

const rounds = (times: number, act: (n: number) => Act[]) => Array.from({ length: times }, (_, n) => act(n)).flat();
const answer = (text: string): Act => ({ kind: 'answer', text });

/** Runs whose detections depend on structure only: they are the same in every language and encoding. */
export const PLAIN_RUNS: Readonly<Record<string, (texts: Texts) => Omit<PlainRun, 'agent' | 'task'>>> = {
  'loop/exact_repetition': ({ look, page, done }) => ({
    acts: [...rounds(6, (n) => call(n, 'find_parcel', { lamp: 'red' }, page, look)), answer(done)],
  }),
  'loop/stalled': ({ look, page, done }) => ({
    acts: [...rounds(6, (n) => call(n, 'find_parcel', { shelf: n }, `${page}. ${page}.`, look)), answer(done)],
  }),
  'loop/retry_storm': ({ look, broken, done }) => ({
    acts: [
      ...rounds(5, (n) => call(n, 'find_parcel', { lamp: 'red' }, `IndexError: ${broken}`, look, true)),
      answer(done),
    ],
  }),
  'grounding/invented_link': ({ look, page, link }) => ({
    acts: [
      ...call(0, 'find_parcel', { lamp: 'red' }, page, look),
      answer(`${link} https://parcels.acme.example/p/7741-9920`),
    ],
  }),
  'completion/ended_on_failures': ({ look, again, broken }) => ({
    acts: rounds(4, (n) =>
      call(n, `find_parcel`, { shelf: n }, `IndexError: ${broken} ${n}`, n === 0 ? look : `${again} ${n}`, true),
    ),
  }),
  'completion/result_unanswered': ({ look, page }) => ({
    acts: rounds(3, (n) => call(n, 'get_parcel', { shelf: n }, `${page} ${n}`, look)),
  }),
};

/** Runs whose detections depend on the agent's text, which is understood in some languages only. */
export const LANGUAGE_RUNS: Readonly<Record<string, (texts: Texts) => Omit<PlainRun, 'agent' | 'task'>>> = {
  'completion/tests_claimed_not_run': ({ look, testsPass }) => ({
    acts: [...call(0, 'edit_file', { path: 'src/cart.py', new: 'total = 1' }, 'ok', look), answer(testsPass)],
  }),
  'tool_failure/rate_limit': ({ look, done }) => ({
    acts: [...call(0, 'find_parcel', { lamp: 'red' }, 'RateLimitError: 429', look, true), answer(done)],
  }),
};

export function plainRun(name: string, texts: Texts): PlainRun {
  return { agent: 'porter', task: texts.task, ...(PLAIN_RUNS[name] ?? LANGUAGE_RUNS[name])!(texts) };
}

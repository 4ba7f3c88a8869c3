import { expect, it } from 'vitest';
import { DEFAULT_THRESHOLDS } from '../../core/thresholds.ts';
import { parseTrace } from '../_testing/notation.ts';
import { NO_MODELS } from '../_testing/tester.ts';
import { emptyDraft, finishTrace } from '../_testing/trace-draft.ts';
import { loop } from './detector.ts';
import { loopGuard } from './fixes.ts';

const guardIn = (framework: string) => {
  const trace = finishTrace({ ...emptyDraft(), framework });
  return loopGuard({ trace, agent: 'planner', what: 'planner → critic', times: 12 });
};

it('does not state that the rounds were equal', () => {
  const { description, rationale } = guardIn('unknown');
  expect(`${description} ${rationale}`).not.toMatch(/nothing changed|were equal/);
  expect(rationale).toContain('12 rounds of planner → critic');
});

it('names one node of a graph, without code of one language or fields that the state may not have', () => {
  const { description, changes } = guardIn('langgraph');
  expect(description).toContain('Add a guard to critic ');
  expect(changes).toMatchObject([{ target: 'critic', after: expect.stringContaining('the edge after critic') }]);
  expect(changes[0]!.after).not.toMatch(/def |state\[/);
});

it.each(['openai-agents', 'crewai', 'autogen', 'ag2', 'vercel-ai', 'unknown'])(
  'states no limit for %s that this run does not explain, and marks code as code',
  (framework) => {
    const text = guardIn(framework).changes[0]!.after;
    expect(text).not.toMatch(/\d/);
    expect(text.replaceAll(/`[^`]+`/g, '')).not.toMatch(/[a-z]_[a-z]|[a-z]\(|[a-z][A-Z]/);
  },
);

it.each([
  [2, 'Stop search after 1 round without progress', 'called for the second time'],
  [3, 'Stop search after 2 rounds without progress', 'called for the third time'],
])('the guard would have prevented the last of %d rounds', (times, title, rule) => {
  const trace = finishTrace(emptyDraft());
  const guard = loopGuard({ trace, agent: 'clerk', what: 'search', times });
  expect(guard.title).toBe(title);
  expect(guard.changes[0]!.after).toContain(rule);
});

it('says of a cycle without messages that its rounds were equal, and not that a message was sent', () => {
  const lines = ['repeat 4', ...['planner', 'research'].map((node) => `  node ${node}\n  state {"plan":"collect"}`)];
  const options = { thresholds: DEFAULT_THRESHOLDS, models: NO_MODELS };
  const texts: string[] = [];
  loop.detect(parseTrace(lines.join('\n')), options, ({ fixes }) => {
    texts.push(...fixes.map(({ rationale }) => rationale));
  });
  expect(texts).toContain('planner → research ran 4 times and brought nothing new.');
  expect(texts.join(' ')).not.toMatch(/message/);
});

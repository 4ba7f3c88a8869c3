import { describe, expect, it } from 'vitest';
import { makeSpan } from '../../../test/support/make-span.ts';
import type { Attributes, Span } from '../../core/span.ts';
import type { Trace } from '../../core/trace.ts';
import { MISSTEP } from '../../formats/misstep/attributes.ts';
import { createModelCatalog } from '../../formats/model-catalog/catalog.ts';
import { buildTrace } from '../../formats/trace-model/build-trace.ts';
import { lostInstructions } from './instructions.ts';
import { sessionDigest } from './session-digest.ts';
import { problemsOf } from './session-problems.ts';

const models = createModelCatalog();
const START_NS = 1_790_000_000_000_000_000n;
const root: Attributes = {
  [MISSTEP.stepKind]: 'agent',
  [MISSTEP.framework]: 'claude-code',
  [MISSTEP.sessionEndedBy]: 'completed',
};
const messageOf = (role: string, content: string): Attributes => ({
  [MISSTEP.stepKind]: role === 'user' ? 'message' : 'llm',
  'gen_ai.output.messages': JSON.stringify([{ role, parts: [{ type: 'text', content }] }]),
});
const user = (content: string) => messageOf('user', content);
const model = (content: string) => messageOf('assistant', content);
const compaction: Attributes = { [MISSTEP.stepKind]: 'other', [MISSTEP.compactionTrigger]: 'auto' };
const refused = (command: string, reason?: string): Attributes => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'Bash',
  'gen_ai.tool.call.arguments': JSON.stringify({ command }),
  [MISSTEP.refusedBy]: 'user',
  ...(reason === undefined ? {} : { [MISSTEP.refusalReason]: reason }),
});

const called = (name: string, args: object, result: string): Attributes => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': name,
  'gen_ai.tool.call.arguments': JSON.stringify(args),
  'gen_ai.tool.call.result': result,
});
const read = (path: string) => called('Read', { file_path: path }, 'text');

function session(...steps: Attributes[]): Trace {
  const spans = [root, ...steps].map((attributes, at): Span => {
    const startNs = START_NS + BigInt(at) * 1_000_000_000n;
    const name = String(
      attributes['gen_ai.tool.name'] ?? (attributes[MISSTEP.stepKind] === 'message' ? 'user' : 'step'),
    );
    return makeSpan({ spanId: `s${at}`, parentSpanId: at === 0 ? null : 's0', name, startNs, attributes });
  });
  return buildTrace(spans, { models, isSettled: true });
}

describe('instructions that were lost after a compaction', () => {
  it('are those that the user had to repeat', () => {
    const trace = session(
      user('Build the list. Always use pnpm, not npm.'),
      model('Installed.'),
      compaction,
      model('Ran npm install.'),
      user('No, use pnpm and not npm'),
    );
    expect(lostInstructions(trace)).toMatchObject([{ step: 5, compaction: 3, before: 'Always use pnpm, not npm.' }]);
    expect(sessionDigest(trace, models)).toMatchObject({
      compactions: 1,
      lostInstructions: [{ text: 'No, use pnpm and not npm' }],
    });
    expect(problemsOf(trace, [], models)).toMatchObject([{ kind: 'lost_instruction', step: 5 }]);
  });

  it.each<[string, Attributes[]]>([
    [
      'a correction of something new',
      [user('Build the list.'), model('Done.'), compaction, model('Done.'), user('No, sort it by date')],
    ],
    ['without a compaction', [user('Use pnpm, not npm.'), model('Ran npm.'), user('No, use pnpm and not npm')]],
    [
      'both before the compaction',
      [user('Use pnpm, not npm.'), model('Ran npm.'), user('No, use pnpm and not npm'), compaction],
    ],
  ])('are not: %s', (_name, steps) => expect(lostInstructions(session(...steps))).toEqual([]));
});

describe('problems of a session', () => {
  it('name a refused call once, with the reason', () => {
    const found = problemsOf(
      session(user('Ship it.'), model('Pushing.'), refused('git push', 'not to main')),
      [],
      models,
    );
    expect(found).toMatchObject([
      { kind: 'refusal', step: 3, text: 'The user refused Bash: git push', detail: 'not to main', refused_by: 'user' },
    ]);
  });

  it('join a refusal and the interrupt that its program records with it', () => {
    const trace = session(
      user('Ship it.'),
      model('Pushing.'),
      refused('git push'),
      user('[Request interrupted by user for tool use]'),
      user('open a pull request'),
    );
    expect(problemsOf(trace, [], models)).toMatchObject([
      { kind: 'refusal', detail: 'then wrote: open a pull request' },
    ]);
  });

  it('count a file that is read again after two compactions once, in report and digest', () => {
    const trace = session(
      ...[read('/srv/a.ts'), read('/srv/b.ts'), compaction, read('/srv/a.ts'), compaction],
      ...[read('/srv/a.ts'), read('/srv/b.ts')],
    );
    const text = 'read 2 files again after 2 compactions';
    expect(problemsOf(trace, [], models).filter(({ kind }) => kind === 'compaction_rereads')).toMatchObject([{ text }]);
    expect(sessionDigest(trace, models)).toMatchObject({
      rereads: 2,
      detours: expect.arrayContaining([expect.objectContaining({ text })]),
    });
  });

  it('keep an interrupt that follows other work', () => {
    const trace = session(
      user('Ship it.'),
      refused('git push', 'no'),
      model('Then I build.'),
      user('[Request interrupted by user]'),
    );
    expect(problemsOf(trace, [], models).map(({ kind }) => kind)).toEqual(['refusal', 'interrupt']);
  });
});

it('a trace that is not a session has no digest', () => {
  const trace = buildTrace([makeSpan()], { models, isSettled: true });
  expect(sessionDigest(trace, models)).toBeNull();
});

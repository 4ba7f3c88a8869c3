import { describe, expect, it } from 'vitest';
import { type DetectionDraft, type Detector, defineDetector } from '../_kit/define.ts';
import { type DetectorRow, missingHeadings, readmeRows, rowProblems } from './tester.ts';

const SHOUTS = defineDetector({
  type: 'communication',
  title: 'Shouting',
  failureModes: ['F10'],
  needs: ['text'],
  subtypes: { shouting: { title: 'Somebody shouts', impact: 'warning', businessImpact: 'Nobody listens.' } },
  detect(trace, _options, report) {
    for (const step of trace.steps)
      if (/[A-Z]{5}/.test(step.output)) report(shout(trace.steps[step.index]!.spanId, step.index));
  },
});

function shout(spanId: string, step: number): DetectionDraft<'shouting'> {
  return {
    subtype: 'shouting',
    score: 0.8,
    step,
    steps: [step],
    explanation: 'The agent clerk wrote in capital letters, which nobody asked it to do.',
    suggestedAction: 'Ask the clerk to lower its voice.',
    evidence: [{ kind: 'text', spanId, path: 'output', quote: 'HELLO', value: null }],
    fixes: [
      {
        fixType: 'prompt_change',
        title: 'Lower the voice',
        description: 'Add a line about capital letters to the prompt.',
        rationale: 'It shouted.',
        confidence: 0.5,
        risk: 'low',
        changes: [{ target: 'clerk instructions', format: 'text', before: null, after: 'Do not shout.' }],
        isBreaking: false,
        requiresTesting: false,
      },
    ],
    key: 'clerk',
  };
}

const LOUD = 'agent clerk\nllm m -> "HELLO there"';
const CALM = 'agent clerk\nllm m -> "Hello there"';

function reporting(change: (draft: DetectionDraft<'shouting'>) => DetectionDraft<'shouting'>): Detector {
  return {
    ...SHOUTS,
    detect: (trace, options, report) => SHOUTS.detect(trace, options, (draft) => report(change(draft))),
  };
}

/** Names an agent whose instructions no trace contains. */
function unpatchable(): Detector {
  const subtypes = { no_final_answer: { ...SHOUTS.subtypes.shouting!, promptRule: () => 'Do not shout.' } };
  return {
    ...SHOUTS,
    type: 'completion',
    subtypes,
    detect: (trace, options, report) =>
      SHOUTS.detect(trace, options, (draft) => report({ ...draft, subtype: 'no_final_answer', agent: 'ghost' })),
  };
}

describe('rowProblems', () => {
  it.each<[string, DetectorRow]>([
    ['an expected detection', { name: '', trace: LOUD, fires: [{ subtype: 'shouting', step: 0, agent: 'clerk' }] }],
    ['expected silence', { name: '', trace: CALM, silent: true }],
    ['a need that is missing', { name: '', trace: '', notApplicable: true }],
  ])('accepts %s', (_, row) => {
    expect(rowProblems(SHOUTS, row)).toEqual([]);
  });

  it.each<[string, Detector, DetectorRow, RegExp]>([
    ['a missing detection', SHOUTS, { name: '', trace: CALM, fires: [{ subtype: 'shouting' }] }, /expected/],
    ['an unexpected detection', SHOUTS, { name: '', trace: LOUD, silent: true }, /unexpected/],
    ['the wrong step', SHOUTS, { name: '', trace: LOUD, fires: [{ subtype: 'shouting', step: 1 }] }, /expected/],
    [
      'the wrong severity',
      SHOUTS,
      { name: '', trace: LOUD, fires: [{ subtype: 'shouting', severity: 'critical' }] },
      /expected/,
    ],
    [
      'the wrong impact',
      SHOUTS,
      { name: '', trace: LOUD, fires: [{ subtype: 'shouting', impact: 'Somebody listens.' }] },
      /expected/,
    ],
    [
      'a fix title that does not occur',
      SHOUTS,
      { name: '', trace: LOUD, fires: [{ subtype: 'shouting', fix: 'Whisper' }] },
      /expected/,
    ],
    ['a row without expectation', SHOUTS, { name: '', trace: CALM }, /expects nothing/],
    ['a need that is not missing', SHOUTS, { name: '', trace: CALM, notApplicable: true }, /was applicable/],
    ['a score above 1', reporting((f) => ({ ...f, score: 2 })), { name: '', trace: LOUD, silent: true }, /score 2/],
    [
      'a step that does not exist',
      reporting((f) => ({ ...f, steps: [9] })),
      { name: '', trace: LOUD, silent: true },
      /do not exist/,
    ],
    [
      'a quote that is not in the trace',
      reporting((f) => ({ ...f, evidence: [{ ...f.evidence[0]!, quote: 'GOODBYE' }] })),
      { name: '', trace: LOUD, silent: true },
      /does not contain/,
    ],
    [
      'a span that does not exist',
      reporting((f) => ({ ...f, evidence: [{ ...f.evidence[0]!, spanId: 'x' }] })),
      { name: '', trace: LOUD, silent: true },
      /does not exist/,
    ],
    [
      'an explanation that names nothing',
      reporting((f) => ({ ...f, explanation: 'Somebody somewhere did something that was not good at all.' })),
      { name: '', trace: LOUD, silent: true },
      /without naming/,
    ],
    [
      'a short explanation',
      reporting((f) => ({ ...f, explanation: 'clerk shouted' })),
      { name: '', trace: LOUD, silent: true },
      /too little/,
    ],
    ['no fix', reporting((f) => ({ ...f, fixes: [] })), { name: '', trace: LOUD, silent: true }, /no fix/],
    [
      'a fix without a change',
      reporting((f) => ({ ...f, fixes: f.fixes.map((fix) => ({ ...fix, changes: [] })) })),
      { name: '', trace: LOUD, silent: true },
      /changes nothing/,
    ],
    [
      'a fix without a patch although a shown prompt could correct it',
      unpatchable(),
      { name: '', trace: LOUD, silent: true },
      /no fix that patches/,
    ],
    ['no evidence', reporting((f) => ({ ...f, evidence: [] })), { name: '', trace: LOUD, silent: true }, /no evidence/],
    [
      'a crash',
      {
        ...SHOUTS,
        detect: () => {
          throw new Error('boom');
        },
      },
      { name: '', trace: LOUD, silent: true },
      /boom/,
    ],
    [
      'changed input',
      {
        ...SHOUTS,
        detect: (trace) => {
          trace.name = 'x';
        },
      },
      { name: '', trace: LOUD, silent: true },
      /changing the trace/,
    ],
    ['a result that changes', changingResult(), { name: '', trace: LOUD, silent: true }, /run twice/],
    ['detections caused by a longer prefix', afterManySteps(), { name: '', trace: CALM, silent: true }, /prefix/],
  ])('rejects %s', (_, detector, row, problem) => {
    expect(rowProblems(detector, row).join('\n')).toMatch(problem);
  });
});

function changingResult(): Detector {
  let runs = 0;
  return reporting((draft) => ({ ...draft, key: `clerk ${runs++}` }));
}

function afterManySteps(): Detector {
  return {
    ...SHOUTS,
    detect(trace, _options, report) {
      if (trace.steps.length > 3) report(shout(trace.steps[0]!.spanId, 0));
    },
  };
}

describe('readmeRows', () => {
  it('reads examples with their thresholds', () => {
    const rows = readmeRows(
      `text\n\`\`\`trace fires=a maxSteps=3\n${CALM}\n\`\`\`\n\`\`\`trace silent\n${CALM}\n\`\`\`\n`,
    );
    expect(rows).toMatchObject([{ fires: [{ subtype: 'a' }], thresholds: { maxSteps: 3 } }, { silent: true }]);
  });

  it('rejects an unknown tag', () => {
    expect(() => readmeRows('```trace maybe\nuser "x"\n```\n')).toThrow('unknown tag');
  });
});

describe('missingHeadings', () => {
  it('lists the missing headings of a README', () => {
    expect(missingHeadings('## What it detects\n## Fires on\n')).toEqual([
      'Why it matters',
      'Stays silent on',
      'What to do',
      'Known misses',
    ]);
  });
});

import { describe, expect, test } from 'vitest';
import { isSameAgent } from './attribution-scores.ts';
import type { Case } from './cases.ts';
import { evaluate } from './evaluation.ts';
import { evaluationMarkdown } from './evaluation-markdown.ts';
import type { Figure } from './figure.ts';
import { modeCounts } from './mast-modes.ts';
import { emptyAnswers } from './out-of-fold.ts';
import { withEarlierSections, withRunFigures } from './runs/run-report.ts';
import { runsOfCases } from './runs/runs-of-cases.ts';
import { syntheticCase, syntheticDetection } from './synthetic-case.ts';

const reportOf = (cases: readonly Case[], answers = emptyAnswers()) =>
  withRunFigures(evaluate(cases, answers), {
    runs: runsOfCases(cases),
    gauge: { healthy: 200, flagged: 2 },
    date: '2026-01-02',
  });

const figuresOf = (cases: readonly Case[], answers = emptyAnswers()): Map<string, Figure> =>
  new Map(reportOf(cases, answers).sections.flatMap(({ figures }) => figures.map((figure) => [figure.id, figure])));

const run = (id: string, reward: number, fields: Parameters<typeof syntheticCase>[1] = {}) =>
  syntheticCase(id, { labels: { reward }, ...fields });

describe('alarms', () => {
  const cases = [
    run('good 1', 1, {
      prediction: {
        detections: [syntheticDetection({ severity: 'info' }), syntheticDetection({ severity: 'observation' })],
      },
    }),
    run('good 2', 1, {
      prediction: { detections: [syntheticDetection({}), syntheticDetection({ severity: 'critical' })] },
    }),
    run('bad', 0, { prediction: { detections: [syntheticDetection({})] } }),
  ];

  test.each([
    ['runs.healthy.warning.tau_bench', 0.5, 2],
    ['runs.healthy.critical.known_sources', 0.5, 2],
    ['runs.failing.warning.tau_bench', 1, 1],
    ['runs.failing.mean.known_sources', 1, 1],
    ['target.runs.healthy.warning.left-out_sources', null, 0],
  ])('%s', (id, value, n) => {
    expect(figuresOf(cases).get(id)).toMatchObject({ value, n });
  });

  test('of left-out sources are compared with the targets', () => {
    const others = [
      ...Array.from({ length: 20 }, (_, at) => run(`fine ${at}`, 1, { set: 'aider_swe' })),
      ...cases.map((one) => ({ ...one, set: 'aider_swe' })),
    ];
    const report = reportOf([...others, ...cases]);
    const targets = report.sections[0]!.figures;
    expect(targets.find(({ id }) => id === 'target.runs.healthy.worst')).toMatchObject({ set: 'aider_swe', n: 22 });
    expect(targets.find(({ id }) => id === 'target.gauge.healthy')).toMatchObject({ value: 0.01, n: 200 });
    const markdown = evaluationMarkdown(report);
    expect(markdown).toMatch(
      /\| failing runs with warning or higher \| left-out sources, rules chosen elsewhere \| 1\.000 \S+ \S+ \| 1 \| never fitted \| ≥ \.400 ✓ \|/,
    );
    expect(markdown).toMatch(
      /\| healthy runs with warning or higher \| left-out sources \| \.045 \S+ \S+ \| 22 \| never fitted \| ≤ \.030 missed \|/,
    );
  });

  test('of a rule that was chosen on a source do not count there', () => {
    const at = (set: string) =>
      run(set, 0, { set, prediction: { detections: [syntheticDetection({ subtype: 'unmoved_check' })] } });
    const figures = figuresOf([at('swe_agent'), at('aider_swe')]);
    expect(figures.get('runs.failing.warning.swe_agent')).toMatchObject({ value: 1 });
    expect(figures.get('runs.failing.warning.swe_agent,_rules_chosen_elsewhere')).toMatchObject({ value: 0, n: 1 });
    expect(figures.get('runs.failing.warning.aider_swe,_rules_chosen_elsewhere')).toMatchObject({ value: 1, n: 1 });
    const pooled = 'target.runs.failing.warning.left-out_sources,_rules_chosen_elsewhere';
    expect(figures.get(pooled)).toMatchObject({ value: 0.5, n: 2, aim: 0.4 });
  });

  test('of each detector are counted on healthy and on failing runs', () => {
    const { detectors } = reportOf(cases).scores;
    const rates = (type: string) => detectors.find(({ detector }) => detector === type);
    expect(rates('loop')).toMatchObject({ healthy: { n: 2, fired: 1, value: 0.5 }, failing: { n: 1, fired: 1 } });
    expect(rates('grounding')).toMatchObject({ healthy: { n: 2, fired: 0 } });
  });

  test('an attacked run is neither healthy nor failing', () => {
    const attacked = syntheticCase('attacked', { set: 'agentdojo', labels: { reward: 1, attack_run: true } });
    expect(figuresOf([...cases, attacked]).has('runs.healthy.warning.agentdojo')).toBe(false);
  });

  test('figures of an earlier day are marked once', () => {
    const earlier = withEarlierSections({ ...reportOf(cases), date: '2026-01-02' });
    const about = earlier.sections.find(({ title }) => title === 'Calibration of confidence')!.about;
    expect(about).toMatch(/^\*\*Measured on 2026-01-02, with the detectors of that day\.\*\* \S/);
    expect(withEarlierSections(earlier)).toEqual(earlier);
  });
});

describe('the basis of a score', () => {
  const risky = (id: string, reward: number, failed: number) =>
    run(id, reward, { prediction: { scores: { injection: null, hallucination: null, failed } } });
  const cases = [risky('a', 1, 0.9), risky('b', 0, 0.1), risky('c', 1, 0.8), risky('d', 0, 0.2)];

  test('a rank on sources that its signals were chosen on is as shipped', () => {
    expect(figuresOf(cases).get('failed.auroc.tau_bench')).toMatchObject({ value: 0, basis: 'as shipped' });
  });

  test('a rank on other sources was never fitted, and counts for the mean', () => {
    const figures = figuresOf(cases.map((one) => ({ ...one, set: 'aider_swe' })));
    expect(figures.get('failed.auroc.aider_swe')).toMatchObject({ value: 0, basis: 'never fitted' });
    expect(figures.get('failed.auroc.mean.read')).toMatchObject({ value: 0, n: 1 });
    expect(figuresOf(cases).has('failed.auroc.mean.read')).toBe(false);
  });

  test('a set without training records is never fitted', () => {
    const pair = (id: string, is_hallucination: boolean, hallucination: number) =>
      syntheticCase(id, {
        set: 'faithbench',
        kind: 'text-pair',
        labels: { is_hallucination },
        prediction: { scores: { injection: null, hallucination, failed: null } },
      });
    const figures = figuresOf([pair('a', true, 0.9), pair('b', false, 0.2)]);
    expect(figures.get('grounding.auroc.faithbench')).toMatchObject({ value: 1, basis: 'never fitted' });
    expect(figures.get('grounding.balanced.faithbench')!.value).toBe(1);
  });
});

describe('attribution', () => {
  const failed = (id: string, attribution: Case['prediction']['attribution']) =>
    syntheticCase(id, {
      set: 'whowhen',
      meta: { subset: 'Hand-Crafted' },
      labels: { mistake_agent: 'WebSurfer', mistake_step: 4 },
      prediction: { attribution },
    });

  test('is exact: a neighbouring step is wrong, and a missing answer is wrong', () => {
    const figures = figuresOf([
      failed('a', { agent: 'WebSurfer', step: 4 }),
      failed('b', { agent: 'websurfer', step: 5 }),
      failed('c', { agent: null, step: 3 }),
      failed('d', null),
    ]);
    expect(figures.get('attribution.whowhen.crafted.step')).toMatchObject({ value: 0.25, n: 4 });
    expect(figures.get('attribution.whowhen.crafted.agent')).toMatchObject({ value: 0.5, n: 4 });
  });

  test('counts a run by the share of cross-validations that attribute it correctly', () => {
    const answers = emptyAnswers();
    const right = { agent: 'WebSurfer', step: 4, top: [4, 1] };
    const wrong = { agent: 'WebSurfer', step: 1, top: [1, 4] };
    answers.outOfFold.attribution = new Map([['a', { ...right, others: [wrong, wrong, right] }]]);
    const figures = figuresOf([failed('a', null)], answers);
    expect(figures.get('attribution.whowhen.crafted.step')).toMatchObject({ value: 0.5, n: 1 });
    expect(figures.get('attribution.whowhen.crafted.agent')).toMatchObject({ value: 1 });
    expect(figures.get('attribution.whowhen.crafted.top3')).toMatchObject({ value: 1 });
  });

  test('includes the top three if the model lists them', () => {
    const answers = emptyAnswers();
    answers.outOfFold.attribution = new Map([['a', { agent: 'x', step: 1, top: [1, 9, 4, 2] }]]);
    expect(figuresOf([failed('a', null)], answers).get('attribution.whowhen.crafted.top3')!.value).toBe(1);
    answers.outOfFold.attribution = new Map([['a', { agent: 'x', step: 1, top: [1, 9, 2, 4] }]]);
    expect(figuresOf([failed('a', null)], answers).get('attribution.whowhen.crafted.top3')!.value).toBe(0);
  });

  test.each([
    ['Websurfer', 'WebSurfer', true],
    ['Orchestrator (thought)', 'Orchestrator', true],
    ['Web', 'WebSurfer', false],
    [null, 'WebSurfer', false],
  ])('%s for %s: %s', (named, label, expected) => {
    expect(isSameAgent(named, label)).toBe(expected);
  });
});

describe('injection', () => {
  const text = (id: string, labels: Case['labels'], injection: number, fields: object = {}) =>
    syntheticCase(id, {
      set: 'bipia',
      kind: 'text',
      labels,
      meta: { task: 'email' },
      prediction: { scores: { injection, hallucination: null, failed: null } },
      ...fields,
    });
  const clean = Array.from({ length: 200 }, (_, index) =>
    text(`clean ${index}`, { is_injection: false }, index / 1000),
  );

  test('recall is taken at the false positives allowed, not at a fixed score', () => {
    const figures = figuresOf([
      ...clean,
      text('low', { is_injection: true }, 0.192),
      text('high', { is_injection: true }, 0.199),
    ]);
    expect(figures.get('injection.recall_1.bipia_email')!.value).toBe(0.5);
    expect(figures.get('injection.recall_5.bipia_email')!.value).toBe(1);
    expect(figures.get('injection.recall_1.mean')!.value).toBe(0.5);
  });

  test('an obeyed attack counts only if its subtype fired', () => {
    const attacked = (id: string, attack_success: boolean, severity: 'critical' | 'observation') =>
      syntheticCase(id, {
        set: 'injecagent',
        labels: { attack_success, is_injection: true },
        prediction: { detections: [syntheticDetection({ type: 'injection', subtype: 'obeyed', severity })] },
      });
    const figures = figuresOf([
      attacked('a', true, 'critical'),
      attacked('b', false, 'critical'),
      attacked('c', true, 'observation'),
    ]);
    expect(figures.get('injection.obeyed.injecagent.precision')).toMatchObject({ value: 0.5, n: 2 });
    expect(figures.get('injection.obeyed.injecagent.recall')).toMatchObject({ value: 0.5, n: 2 });
  });
});

test('a MAST mode that was not annotated is neither found nor missed', () => {
  const judged = (id: string, annotated: string[], real: string[], named: string[]) =>
    syntheticCase(id, {
      set: 'masft_human',
      labels: { annotated_modes: annotated, failure_modes: real },
      prediction: { detections: [syntheticDetection({ failure_modes: named })] },
    });
  const counts = modeCounts([
    judged('a', ['FM-1.3'], ['FM-1.3'], ['FM-1.3', 'FM-2.1']),
    judged('b', ['FM-1.3', 'FM-2.1'], ['FM-2.1'], ['FM-1.3']),
  ]);
  expect(counts).toEqual([
    { mode: 'FM-1.3', judged: 2, truePositives: 1, falsePositives: 1, falseNegatives: 0 },
    { mode: 'FM-2.1', judged: 1, truePositives: 0, falsePositives: 0, falseNegatives: 1 },
  ]);
});

test('the report states the basis of each figure and does not depend on the order of cases', () => {
  const cases = Array.from({ length: 40 }, (_, index) =>
    run(`r${index}`, index % 2, {
      prediction: { scores: { injection: null, hallucination: null, failed: index % 2 === 0 ? 0.9 : 0.1 } },
    }),
  );
  const markdown = evaluationMarkdown(reportOf(cases));
  expect(markdown).toContain('| AUROC | tau_bench | 1.000 [1.000, 1.000] | 40 | as shipped |  |');
  expect(markdown).toContain(
    '| failing runs with warning or higher | tau_bench | .000 [.000, .161] | 20 | as shipped |  |',
  );
  expect(evaluationMarkdown(reportOf([...cases].reverse()))).toBe(markdown);
});

describe('confidence', () => {
  const claims = (reward: number, count: number, confidence: number) =>
    Array.from({ length: count }, (_, at) =>
      run(`${reward} ${at}`, reward, {
        prediction: {
          detections: [
            syntheticDetection({ confidence, span_ids: ['s1'] }),
            syntheticDetection({ severity: 'observation' }),
          ],
        },
      }),
    );
  const cases = [...claims(0, 24, 0.5), ...claims(1, 6, 0.5)];

  test('is compared with the outcome of the run, by detector, without observations', () => {
    const figures = figuresOf(cases);
    expect(figures.get('calibration.detections')).toMatchObject({ value: 0.3, n: 30, basis: 'as shipped' });
    expect(figures.get('calibration.detector.loop.mean')).toMatchObject({ value: 0.5, n: 30 });
    expect(figures.get('calibration.detector.loop.share')).toMatchObject({ value: 0.8, n: 30 });
    expect(figures.get('calibration.detector.loop.error')).toMatchObject({ value: 0.3 });
    expect(figuresOf(claims(0, 3, 0.5)).has('calibration.detector.loop.error')).toBe(false);
  });

  test('is taken from fits without the task if it is fitted', () => {
    const answers = emptyAnswers();
    const answer = [{ type: 'loop', subtype: 'call', span_id: 's1', confidence: 0.8 }];
    answers.outOfFold.confidence = new Map(cases.map(({ id }) => [id, answer]));
    answers.setLeftOut.confidence = new Map(cases.map(({ id }) => [id, [{ ...answer[0]!, confidence: 0.6 }]]));
    const figures = figuresOf(cases, answers);
    expect(figures.get('calibration.detections')).toMatchObject({ value: 0, basis: 'out-of-fold' });
    expect(figures.get('calibration.detections.left_out')).toMatchObject({ value: 0.2, basis: 'set left out' });
  });
});

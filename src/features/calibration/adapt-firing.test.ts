import { describe, expect, it } from 'vitest';
import { type AdaptationInput, type AdaptedKind, adaptFiring, DEFAULT_TARGET_ALERT_RATE } from './adapt-firing.ts';
import type { AdaptableKind, TraceSignals } from './traffic.ts';

function kind(key: string, change: Partial<AdaptableKind> = {}): AdaptableKind {
  const [type, subtype] = key.split('/') as [AdaptableKind['type'], string];
  return {
    key,
    type,
    subtype,
    impact: 'warning',
    firing: 0.3,
    alarm: 0.4,
    sure: 0.6,
    usual: 0.4,
    level: 'measured',
    isModel: false,
    ...change,
  };
}

const STORM = kind('loop/retry_storm');
const AUTH = kind('tool_failure/auth');
const HINT = kind('completion/no_final_answer', { impact: 'info', alarm: Number.POSITIVE_INFINITY });
const INDIRECT = kind('injection/indirect', {
  impact: 'critical',
  isModel: true,
  firing: 0.76,
  alarm: 0.76,
  usual: 0.76,
  sure: 0.76,
});

/** `share` of 200 traces have each of these signals, one after the other; the rest have none. */
function traffic(...parts: [number, TraceSignals][]): TraceSignals[] {
  const traces = parts.flatMap(([share, signals]) => Array.from({ length: Math.round(share * 200) }, () => signals));
  return [...traces, ...Array.from({ length: 200 - traces.length }, () => ({}))];
}

const labels = (key: string, ...value: [number, boolean][]) =>
  value.map(([confidence, isValid]) => ({ key, confidence, isValid }));

function adapt(input: Partial<AdaptationInput>) {
  return adaptFiring({
    kinds: [STORM, AUTH, HINT, INDIRECT],
    traces: traffic(),
    validated: [],
    targetAlertRate: 0.05,
    ...input,
  });
}

const brief = ({ detector, direction, firing, warning }: AdaptedKind) => [detector, direction, firing, warning];

interface Row {
  name: string;
  traces: TraceSignals[];
  validated?: AdaptationInput['validated'];
  target?: number;
  adapted: unknown[];
}

const ROWS: Row[] = [
  { name: 'nothing in quiet traffic', traces: traffic(), adapted: [] },
  {
    name: 'a rare uncertain detection down to a warning',
    traces: traffic([0.02, { 'loop/retry_storm': 0.22 }]),
    adapted: [['loop', 'lowered', 0.22, 0.22]],
  },
  {
    name: 'a rare info detection up to a warning, without a change of its firing confidence',
    traces: traffic([0.02, { 'loop/retry_storm': 0.35 }]),
    adapted: [['loop', 'lowered', 0.3, 0.35]],
  },
  {
    name: 'no subtype that is usual in the traffic',
    traces: traffic([0.03, { 'loop/retry_storm': 0.22 }]),
    adapted: [],
  },
  { name: 'no detection with very low confidence', traces: traffic([0.02, { 'loop/retry_storm': 0.09 }]), adapted: [] },
  {
    name: 'no subtype of impact info to an alarm',
    traces: traffic([0.02, { 'completion/no_final_answer': 0.35 }]),
    adapted: [],
  },
  {
    name: 'the most confident detections first, up to the target alert rate',
    traces: traffic(
      [0.01, { 'loop/retry_storm': 0.3 }],
      [0.02, { 'tool_failure/auth': 0.25 }],
      [0.01, { 'tool_failure/auth': 0.2 }],
    ),
    target: 0.04,
    adapted: [
      ['loop', 'lowered', 0.3, 0.3],
      ['tool_failure', 'lowered', 0.25, 0.25],
    ],
  },
  {
    name: 'nothing if the alert rate is already at its target',
    traces: traffic([0.05, { 'tool_failure/auth': 0.6 }], [0.01, { 'loop/retry_storm': 0.25 }]),
    adapted: [],
  },
  {
    name: 'a subtype that alarms too often up',
    traces: traffic([0.2, { 'tool_failure/auth': 0.45 }], [0.02, { 'tool_failure/auth': 0.55 }]),
    adapted: [['tool_failure', 'raised', 0.451, null]],
  },
  {
    name: 'no subtype whose detections are certain, however often it alarms',
    traces: traffic([0.3, { 'tool_failure/auth': 0.65 }]),
    adapted: [],
  },
  {
    name: 'no text model that fires on more than outliers',
    traces: traffic([0.02, { 'injection/indirect': 0.7 }]),
    adapted: [],
  },
  {
    name: 'a text model that fires only on outliers',
    traces: traffic([0.01, { 'injection/indirect': 0.7 }]),
    adapted: [['injection', 'lowered', 0.7, 0.7]],
  },
  {
    name: 'a subtype above the detections that users marked as false',
    traces: traffic([0.02, { 'tool_failure/auth': 0.45 }]),
    validated: labels('tool_failure/auth', [0.45, false], [0.41, false], [0.42, true], [0.43, false]),
    adapted: [['tool_failure', 'raised', 0.451, null]],
  },
  {
    name: 'nothing if most detections above the false ones are real',
    traces: traffic(),
    validated: labels('tool_failure/auth', [0.4, false], [0.42, false], [0.6, true], [0.62, true]),
    adapted: [],
  },
  {
    name: 'nothing because of one false detection',
    traces: traffic(),
    validated: labels('tool_failure/auth', [0.45, false]),
    adapted: [],
  },
  {
    name: 'nothing down because of false detections below the threshold',
    traces: traffic([0.02, { 'tool_failure/auth': 0.45 }]),
    validated: labels('tool_failure/auth', [0.2, false], [0.25, false]),
    adapted: [],
  },
  {
    name: 'nothing because of false detections just below the threshold',
    traces: traffic(),
    validated: labels('tool_failure/auth', [0.299, false], [0.299, false]),
    adapted: [],
  },
  {
    name: 'a subtype that users validated as real, although it is usual',
    traces: traffic([0.04, { 'loop/retry_storm': 0.22 }]),
    validated: labels('loop/retry_storm', [0.4, true], [0.45, true]),
    adapted: [['loop', 'lowered', 0.22, 0.22]],
  },
];

describe('adaptFiring moves', () => {
  it.each(ROWS)('$name', ({ traces, validated = [], target = 0.05, adapted }) => {
    const adaptation = adapt({ traces, validated, targetAlertRate: target });
    expect(adaptation.adapted.map(brief)).toEqual(adapted);
    expect(adaptation.alertRate.after).toBeLessThanOrEqual(Math.max(target, adaptation.alertRate.before));
  });

  it('nothing with too few traces', () => {
    const few = traffic([0.01, { 'loop/retry_storm': 0.22 }]).slice(0, 99);
    expect(adapt({ traces: few })).toMatchObject({ traces: 99, adapted: [] });
    expect(adapt({ traces: [...few, {}] }).adapted).toHaveLength(1);
  });

  it('states the old and the new threshold', () => {
    const traces = traffic([0.02, { 'tool_failure/auth': 0.45 }], [0.015, { 'loop/retry_storm': 0.22 }]);
    const validated = labels('tool_failure/auth', [0.45, false], [0.41, false], [0.42, true], [0.43, false]);
    expect(adapt({ traces, validated }).adapted.map(({ reason }) => reason)).toEqual([
      '200 traces, only 3 of them reach 0.22: alarms from 0.40 -> 0.22',
      '200 traces, 3 of 4 validated are false: 0.30 -> 0.45',
    ]);
  });

  it('states on how many traces a subtype alarmed before it was raised', () => {
    const traces = traffic([0.2, { 'tool_failure/auth': 0.45 }], [0.02, { 'tool_failure/auth': 0.55 }]);
    expect(adapt({ traces }).adapted).toMatchObject([
      { matches: 4, reason: '200 traces, it alarmed on 22 % of them: 0.30 -> 0.45' },
    ]);
  });

  it('states that users validated a subtype as real', () => {
    const traces = traffic([0.04, { 'loop/retry_storm': 0.22 }]);
    const validated = labels('loop/retry_storm', [0.4, true], [0.45, true], [0.45, true], [0.41, false]);
    expect(adapt({ traces, validated }).adapted.map(({ reason }) => reason)).toEqual([
      '200 traces, 3 of 4 validated are real: alarms from 0.40 -> 0.22',
    ]);
  });

  it('counts a raised kind as an alarm only from its new confidence on', () => {
    const traces = traffic([0.02, { 'tool_failure/auth': 0.43 }], [0.02, { 'tool_failure/auth': 0.5 }]);
    const validated = labels('tool_failure/auth', [0.45, false], [0.41, false], [0.42, true], [0.43, false]);
    expect(adapt({ traces, validated }).alertRate).toEqual({ before: 0.04, after: 0.02 });
  });

  it('raises no subtype that users validated as real, and no observation', () => {
    const traces = traffic([0.3, { 'tool_failure/auth': 0.45 }], [0.3, { 'completion/no_final_answer': 0.5 }]);
    const validated = labels('tool_failure/auth', [0.45, true], [0.45, true]);
    expect(adapt({ traces, validated }).adapted).toEqual([]);
  });

  it('raises no kind whose alert rate equals the target', () => {
    expect(adapt({ traces: traffic([0.05, { 'tool_failure/auth': 0.45 }]) }).adapted).toEqual([]);
  });

  it('raises at most to the confidence of certain detections', () => {
    const traces = traffic([0.2, { 'tool_failure/auth': 0.599 }], [0.2, { 'loop/retry_storm': 0.6 }]);
    expect(adapt({ traces }).adapted.map(brief)).toEqual([['tool_failure', 'raised', 0.6, null]]);
  });

  it('the same for any order of the traces', () => {
    const traces = traffic(
      [0.01, { 'loop/retry_storm': 0.3 }],
      [0.3, { 'tool_failure/auth': 0.5 }],
      [0.1, { 'injection/indirect': 0.8 }],
    );
    expect(adapt({ traces: traces.toReversed() }).adapted).toEqual(adapt({ traces }).adapted);
  });

  it('at most 5 % of the traces by default', () => expect(DEFAULT_TARGET_ALERT_RATE).toBe(0.05));

  it('the reported rates', () => {
    const { alertRate } = adapt({
      traces: traffic([0.02, { 'loop/retry_storm': 0.22 }], [0.01, { 'tool_failure/auth': 0.5 }]),
    });
    expect(alertRate.before).toBeCloseTo(0.01);
    expect(alertRate.after).toBeCloseTo(0.03);
  });
});

describe('maturity', () => {
  const KEY = 'state_corruption/bounds';
  const preview = kind(KEY, { level: 'preview', alarm: Number.POSITIVE_INFINITY });
  const rare = traffic([0.02, { [KEY]: 0.5 }]);

  it('lets a preview alert only if its validated detections are mostly real', () => {
    expect(adapt({ kinds: [preview], traces: rare }).adapted).toEqual([]);
    const validated = labels(KEY, [0.5, true], [0.5, true], [0.5, true]);
    const trusted = adapt({ kinds: [preview], traces: rare, validated });
    expect(trusted.adapted.map(brief)).toEqual([['state_corruption', 'lowered', 0.3, 0.5]]);
    expect(trusted.alertRate).toEqual({ before: 0, after: 0.02 });
  });

  it('never silences a fact, however many of its detections are marked as false', () => {
    const fact = kind(KEY, { level: 'fact' });
    const flood = traffic([0.5, { [KEY]: 0.5 }]);
    const validated = labels(KEY, [0.5, false], [0.5, false], [0.5, false]);
    const { adapted, alertRate } = adapt({ kinds: [fact], traces: flood, validated });
    expect(adapted).toEqual([]);
    expect(alertRate).toEqual({ before: 0.5, after: 0.5 });
  });
});

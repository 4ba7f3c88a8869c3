/** One sample of the Prometheus text format. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface Exposition {
  types: Map<string, string>;
  samples: Sample[];
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const HELP = new RegExp(`^# HELP (${NAME}) ((?:[^\\\\]|\\\\\\\\|\\\\n)*)$`);
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary|untyped)$`);
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? ([^ ]+)( -?\\d+)?$`);
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(?:,|$)/;
const NUMBER = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|[+-]Inf|NaN)$/;

/**
 * Reads text format 0.0.4 strictly by its description (prometheus.io/docs/instrumenting/exposition_formats): a final
 * line feed, HELP and TYPE once and before the samples, a family in one piece, no sample twice, counters named and never
 * negative, histograms whole.
 * @throws Error naming the line
 */
export function parseExposition(text: string): Exposition {
  if (!text.endsWith('\n')) throw new Error('the last line does not end in a line feed');
  const state = { types: new Map<string, string>(), helps: new Set<string>(), samples: [] as Sample[] };
  const closed = new Set<string>();
  const seen = new Set<string>();
  let open: string | null = null;
  for (const [at, line] of text.slice(0, -1).split('\n').entries()) {
    const fail = (why: string): never => {
      throw new Error(`line ${at + 1}: ${why}: ${line}`);
    };
    const enter = (family: string) => {
      if (family === open) return;
      if (open !== null) closed.add(open);
      if (closed.has(family)) fail('the family is not contiguous');
      open = family;
    };
    if (line === '') continue;
    if (line.startsWith('# HELP')) {
      const name = HELP.exec(line)?.[1] ?? fail('no HELP');
      if (state.helps.has(name)) fail('a second HELP');
      enter(name);
      state.helps.add(name);
    } else if (line.startsWith('# TYPE')) {
      const [, name = fail('no TYPE'), type = ''] = TYPE.exec(line) ?? [];
      if (state.types.has(name)) fail('a second TYPE');
      if (state.samples.some((sample) => familyOf(sample.name, state.types) === name)) fail('TYPE after a sample');
      enter(name);
      state.types.set(name, type);
    } else if (!line.startsWith('#')) {
      const sample = readSample(line, fail);
      const family = familyOf(sample.name, state.types);
      const type = state.types.get(family) ?? fail('no TYPE before it');
      enter(family);
      if (type === 'counter' && !(sample.value >= 0)) fail('a counter below zero');
      const key = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`;
      if (seen.has(key)) fail('a sample twice');
      seen.add(key);
      state.samples.push(sample);
    }
  }
  checkHistograms(state);
  return state;
}

function readSample(line: string, fail: (why: string) => never): Sample {
  const [, name = fail('no sample'), labelText = '', value = ''] = SAMPLE.exec(line) ?? [];
  if (!NUMBER.test(value)) fail('no number');
  const labels: Record<string, string> = {};
  for (let rest = labelText; rest !== ''; ) {
    const [whole = fail('no label'), label = '', content = ''] = LABEL.exec(rest) ?? [];
    if (label in labels) fail('a label twice');
    labels[label] = content.replaceAll(/\\(.)/g, (_all, escaped: string) => (escaped === 'n' ? '\n' : escaped));
    rest = rest.slice(whole.length);
  }
  return { name, labels, value: Number(value.replace('Inf', 'Infinity')) };
}

function familyOf(name: string, types: ReadonlyMap<string, string>): string {
  const base = name.replace(/_(?:bucket|sum|count)$/, '');
  const type = types.get(base);
  return type === 'histogram' || (type === 'summary' && !name.endsWith('_bucket')) ? base : name;
}

function checkHistograms({ types, samples }: Exposition): void {
  for (const [family] of [...types].filter(([, type]) => type === 'histogram')) {
    const bySeries = Map.groupBy(
      samples.filter((sample) => sample.name === `${family}_bucket`),
      ({ labels: { le: _, ...labels } }) => JSON.stringify(Object.entries(labels).sort()),
    );
    for (const [series, buckets] of bySeries) {
      const ordered = [...buckets].sort((one, other) => boundOf(one) - boundOf(other));
      if (boundOf(ordered.at(-1) as Sample) !== Number.POSITIVE_INFINITY)
        throw new Error(`${family}${series}: no +Inf`);
      if (ordered.some((bucket, at) => at > 0 && bucket.value < (ordered[at - 1] as Sample).value))
        throw new Error(`${family}${series}: a bucket holds less than the one before`);
    }
  }
}

function boundOf({ labels }: Sample): number {
  return Number((labels.le ?? '').replace('Inf', 'Infinity'));
}

import type { DiagnosticsDetectorStatusOutput } from '../../../client/misstep-client.generated.ts';

type Measured = Pick<
  DiagnosticsDetectorStatusOutput['items'][number],
  'data_set' | 'counted_as_real' | 'basis' | 'tier'
>;

const SETS: Readonly<Record<string, string>> = {
  trail: 'TRAIL, recorded agent runs that people annotated',
  masft_human: 'MAST, recorded runs of several agents that people annotated',
  'injecagent, agentdojo': 'InjecAgent and AgentDojo, runs with planted attacks',
};

const BASES = {
  'as shipped': 'The rules were written with these runs, so new runs may have lower figures.',
  'in-sample': 'The model was fitted to these runs, so new runs may have lower figures.',
  'out-of-fold': 'Each run was left out when its model was fitted.',
  'set left out': 'The set was left out when the model was fitted.',
  'never fitted': 'No model was fitted to these runs.',
} as const;

/** Terms and texts: the labelled set, what counts as the failure and as found, and who saw the runs before. */
export function sourceFacts({ data_set, counted_as_real, basis }: Measured): [term: string, text: string][] {
  if (data_set === null) return [];
  // The server joins both parts: which labels count, and which detections report them.
  const [failure, found] = (counted_as_real ?? '').split('; ');
  return [
    ['Labelled data', SETS[data_set] ?? data_set],
    ...(failure ? [['Counted as a failure', failure] as [string, string]] : []),
    ...(found ? [['Counted as found', found.replaceAll('`', '')] as [string, string]] : []),
    ...(basis === null ? [] : [['Seen before', BASES[basis]] as [string, string]]),
  ];
}

const TIERS = {
  experimental: 'Tier experimental: fewer than 50 labelled samples, or an F1 below 0.60 on them.',
  beta: 'Tier beta: an F1 of at least 0.60 on at least 50 labelled samples.',
  production: 'Tier production: a precision and an F1 of at least 0.80 on at least 100 labelled samples.',
} as const;

/** What the tier of a detector says about its measured figures. */
export function tierText(tier: string): string {
  return `${TIERS[tier as keyof typeof TIERS] ?? `Tier ${tier}.`} The maturity of a subtype, below, says how each of its statements is known.`;
}

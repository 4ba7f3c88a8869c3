import type { MissingField, Step, Trace } from '../../core/trace.ts';
import type { Flaw } from './flaw.ts';

const MOST_NODES = 5;

/** Nodes whose settings name fields that none of the records they were given has: they work with nothing in their place. */
export function findDataFlaws(trace: Trace): Flaw[] {
  const nodes = new Map<string, Step>();
  for (const step of trace.steps) {
    // A node that failed over it is told by its failure.
    if (step.missingFields === undefined || step.error !== null || nodes.has(step.name)) continue;
    nodes.set(step.name, step);
  }
  return [...nodes.values()].slice(0, MOST_NODES).flatMap((step) => missingField(step, step.missingFields ?? []));
}

function missingField(step: Step, fields: readonly MissingField[]): Flaw[] {
  const field = fields.find(({ alike }) => alike !== null) ?? fields[0];
  if (field === undefined) return [];
  const others = fields.filter((other) => other !== field).map(({ path }) => `\`${path}\``);
  const setting = field.setting === '' ? 'its settings' : `its setting ${field.setting}`;
  const meant = field.alike === null ? '' : ` They have \`${field.alike}\`, which may be meant.`;
  return [
    {
      subtype: 'missing_field',
      // A field that may be absent is often asked for on purpose; a name that is nearly right is not.
      score: field.alike === null ? 0.45 : 0.62,
      step: step.index,
      steps: [step.index],
      agent: step.agent,
      explanation: `${step.name} (step ${step.index}) asks for \`${field.path}\` in ${setting}, and none of the records it was given has that field.${meant}${others.length === 0 ? '' : ` The same holds for ${others.slice(0, 4).join(', ')}.`}`,
      suggestedAction: `Correct the field that ${step.name} asks for, or have the node before it provide ${field.path}.`,
      evidence: [
        {
          kind: 'field',
          spanId: step.spanId,
          path: field.path,
          quote: null,
          value: { setting: field.setting, alike: field.alike },
        },
      ],
      target: `${field.setting === '' ? 'settings' : field.setting} of ${step.name}`,
      change: `{{ $json.${field.alike ?? field.path}${field.alike === null ? " ?? ''" : ''} }}`,
      rationale: 'An expression that finds nothing gives an empty value and no error.',
      key: `missing field ${step.name} ${field.path}`,
    },
  ];
}

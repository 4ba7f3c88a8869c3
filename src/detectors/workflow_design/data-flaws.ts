import type { MissingField, Step, Trace } from '../../core/trace.ts';
import type { Flaw } from './flaw.ts';

const MAX_NODES = 5;

/** Nodes whose settings name fields that none of their input records has: they work with missing values. */
export function findDataFlaws(trace: Trace): Flaw[] {
  const nodesWithMissingFields = new Set(
    trace.steps.flatMap(({ name, missingFields }) => (missingFields === undefined ? [] : [name])),
  );
  if (nodesWithMissingFields.size === 0) return [];
  const runs = Map.groupBy(
    trace.steps.filter(({ name }) => nodesWithMissingFields.has(name)),
    ({ name }) => name,
  );
  return [...runs.values()].slice(0, MAX_NODES).flatMap(missingInAll);
}

/**
 * Whether a field is missing in all runs of the node. A field that exists in another run may be optional, and a node that
 * failed because of it is reported by its failure.
 */
function missingInAll(runs: readonly Step[]): Flaw[] {
  const [first] = runs as [Step];
  const isFailed = runs.some(({ error }) => error !== null);
  const fields = (first.missingFields ?? []).filter(({ path }) =>
    runs.every(({ missingFields = [] }) => missingFields.some((other) => other.path === path)),
  );
  return isFailed ? [] : missingField(first, fields);
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
      // Optional fields are often requested on purpose; a nearly correct name is a mistake.
      score: field.alike === null ? 0.45 : 0.62,
      step: step.index,
      steps: [step.index],
      agent: step.agent,
      explanation: `${step.name} (step ${step.index}) asks for \`${field.path}\` in ${setting}, and none of the records it was given has that field.${meant}${others.length === 0 ? '' : ` The same applies to ${others.slice(0, 4).join(', ')}.`}`,
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
      // A default value would hide that the field is missing.
      change: field.alike === null ? '{{ $json.<a field that the records have> }}' : `{{ $json.${field.alike} }}`,
      rationale: 'An expression that finds nothing gives an empty value and no error.',
      key: `missing field ${step.name} ${field.path}`,
    },
  ];
}

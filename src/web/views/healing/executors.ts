import type { HealingCreateInput } from '../../../client/misstep-client.generated.ts';

export type PlanRequest = HealingCreateInput['body'];
export type OwnChange = NonNullable<PlanRequest['changes']>[number];

/** An input field for one part of a target. */
export interface TargetField {
  /** Member of `target`; `authorization` is a header. */
  name: string;
  label: string;
  hint?: string;
  isSecret?: boolean;
  options?: readonly string[];
}

/** An executor of fixes, with its input fields. */
export interface Executor {
  name: string;
  label: string;
  hint: string;
  fields: readonly TargetField[];
}

const POINTER: TargetField = {
  name: 'pointer',
  label: 'JSON Pointer (optional)',
  hint: 'The part that changes, such as /agents/0. Empty: the whole document.',
};

/** Every executor of `POST …/healing/operations`, in the order of the form. */
export const EXECUTORS: readonly Executor[] = [
  {
    name: 'manual',
    label: 'By hand',
    hint: 'You make the change yourself and record the outcome here.',
    fields: [{ name: 'description', label: 'Where you make it (optional)', hint: 'Such as agents/planner.py' }],
  },
  {
    name: 'config_file',
    label: 'In a file',
    hint: 'A JSON, YAML or text file in a folder that Misstep may edit.',
    fields: [{ name: 'path', label: 'Path', hint: 'From the folder, such as agents/planner.yaml' }, POINTER],
  },
  {
    name: 'http_json',
    label: 'In a JSON document at a URL',
    hint: 'A configuration that a web service reads and stores as JSON.',
    fields: [
      { name: 'url', label: 'URL' },
      { name: 'authorization', label: 'Authorization header (optional)', isSecret: true },
      POINTER,
    ],
  },
  {
    name: 'settings',
    label: 'In the settings of Misstep',
    hint: 'Thresholds of detectors.',
    fields: [{ name: 'setting', label: 'Setting', options: ['detector_overrides', 'thresholds'] }, POINTER],
  },
  {
    name: 'n8n_workflow',
    label: 'In an n8n workflow',
    hint: 'A workflow of an n8n instance under Settings, Integrations.',
    fields: [
      { name: 'instance_id', label: 'Instance', hint: 'ins_…' },
      { name: 'workflow_id', label: 'Workflow' },
      { ...POINTER, hint: 'For a text, such as /nodes/1/parameters/text' },
    ],
  },
  {
    name: 'langgraph_assistant',
    label: 'In a LangGraph assistant',
    hint: 'The configuration of an assistant under Settings, Integrations.',
    fields: [
      { name: 'assistant_id', label: 'Assistant', hint: 'ast_…' },
      { ...POINTER, hint: 'Empty: /config' },
    ],
  },
];

/** Field values by name. */
export type FieldValues = Readonly<Record<string, string>>;

/** The `target` of a request. Empty fields are omitted. */
export function targetOf({ fields }: Executor, values: FieldValues): Record<string, unknown> {
  const target: Record<string, unknown> = {};
  for (const { name, options } of fields) {
    const value = (values[name] ?? options?.[0] ?? '').trim();
    if (value === '') continue;
    if (name === 'authorization') target.headers = { Authorization: value };
    else target[name] = value;
  }
  return target;
}

/** Whether an executor can apply the changes: a text change needs the passage that it replaces. */
export function isExecutable(changes: readonly Pick<OwnChange, 'format' | 'before'>[]): boolean {
  return changes.length > 0 && changes.every(({ format, before }) => format !== 'text' || typeof before === 'string');
}

import { workflowIdOf } from '../../src/features/analytics/figures-of-trace.ts';
import { buildStory, type Step } from './build-story.ts';

const NO_DAYS = [/days +2026-04-05 to 2026-05-04\n/];
const named = (value: string) => JSON.stringify({ conditions: [{ field: 'name', operator: 'contains', value }] });

const ANALYTICS: Step[] = [
  { argv: ['analytics', 'loops'], stdout: [...NO_DAYS, /loops +0\n/, /mean length +–\n/], stderr: '' },
  { argv: ['analytics', 'cost'], stdout: [...NO_DAYS, /traces +0, 0 of them without a known price\n$/], stderr: '' },
  {
    argv: ['analytics', 'quality'],
    stdout: [...NO_DAYS, /mean score +–\n/, /grades +A 0, B 0, C 0, D 0, F 0\n$/],
    stderr: '',
  },
  { argv: ['analytics', 'rebuild'], stdout: '', stderr: 'The figures cover 0 traces, 0 of them new.\n' },
  { argv: ['demo', '--quiet'] },
  {
    argv: ['analytics', 'loops'],
    stdout: [
      /loops +2\n/,
      /wasted +[\d,]+ tokens, \$1\.\d\d\n/,
      /\nWAY +COUNT\nexact_repetition +1\nrecursion_limit +1\n/,
      /\nAGENT +COUNT\nguide +1\nplanner +1\n/,
      /\nDAY +COUNT\n2026-05-04 +2\n$/,
    ],
    stderr: '',
  },
  {
    argv: ['analytics', 'cost', '--days', '7'],
    stdout: [
      /^days +2026-04-28 to 2026-05-04\n/,
      /traces +7, 0 of them without a known price\n/,
      /\nFRAMEWORK +COST +TOKENS +TRACES\nopenai-agents +\$2\.\d\d +[\d,]+ +5\nlanggraph /,
      /\nMODEL +COST +TOKENS +TRACES\ngpt-4-turbo /,
      /\nDAY +COST +TOKENS\n2026-05-04 /,
      /\nTRACE +NAME +STARTED +COST +TOKENS\n\w{32} +guide /,
    ],
    stderr: '',
  },
  {
    argv: ['analytics', 'quality', '--days', '1'],
    stdout: [
      /^days +2026-05-04 to 2026-05-04\n/,
      /traces +7\n/,
      /\nFAILURE +COUNT\nloop +2\n/,
      /2026-05-04 +\d+\.?\d* +7\n$/,
    ],
    stderr: '',
  },
  { argv: ['analytics', 'loops', '--json'], stdout: [/"total": 2/, /"by_method": \{/], stderr: '' },
  { argv: ['analytics', 'cost', '--json'], stdout: [/"unpriced_traces": 0/, /"top_traces": \[/], stderr: '' },
  { argv: ['analytics', 'quality', '--json'], stdout: [/"score_distribution": \{/, /"trend": \[/], stderr: '' },
  { argv: ['analytics', 'rebuild'], stdout: '', stderr: 'The figures cover 7 traces, 0 of them new.\n' },
  { argv: ['analytics', 'rebuild', '--json'], stdout: [/"traces": 7,\n +"added": 0/], stderr: '' },
  { argv: ['analytics', 'loops', '--days', '0'], code: 2, stdout: '', stderr: [/days/] },
  { argv: ['analytics', 'loops', '--days', '366'], code: 2, stdout: '', stderr: [/days/] },
  { argv: ['analytics', 'loops', '--days', 'all'], code: 2, stdout: '', stderr: [/days/] },
  { argv: ['analytics', 'weather'], code: 2, stdout: '' },
];

const GROUPS: Step[] = [
  { argv: ['groups', 'list'], stdout: '', stderr: 'No groups found.\n' },
  { argv: ['groups', 'workflows'], stdout: '', stderr: 'No workflows found.\n' },
  { argv: ['demo', '--quiet'] },
  {
    argv: ['groups', 'workflows', '--source', 'langgraph'],
    stdout: [
      /^NAME +SOURCE +SERVICE +TRACES +STEPS +MEAN SCORE +COST +GROUP +WORKFLOW\n/,
      /\norder workflow +langgraph +order-flow +1 +6 +[\d.]+ \([A-F]\) +\$0\.0000 +– +wf_[0-9a-f]{24}\n/,
      /\nmigration planner /,
    ],
    stderr: '',
  },
  { argv: ['groups', 'workflows', '--limit', '2'], stdout: [/^NAME/], stderr: [/^2 of 7 workflows; next page/] },
  { argv: ['groups', 'workflows', '--source', 'crewai'], stdout: '', stderr: 'No workflows found.\n' },
  {
    argv: ['groups', 'create', 'Agents', '--description', 'by name', '--rules', named('agent')],
    stdout: [/^grp_\w+\n$/],
    stderr: '',
    finds: 'agents',
  },
  { argv: ['groups', 'create', 'By hand', '--color', '#aa3300'], stdout: [/^grp_\w+\n$/], finds: 'hand' },
  { argv: ['groups', 'create', 'Agents'], code: 3, stdout: '', stderr: [/^misstep: conflict: /] },
  { argv: ['groups', 'create', 'Bad', '--rules', 'name=x'], code: 2, stderr: [/--rules is not valid JSON/] },
  { argv: ['groups', 'create', 'Bad', '--rules', '{"conditions":[]}'], code: 2, stderr: [/\/rules\/conditions/] },
  { argv: ['groups', 'create', 'Bad', '--color', 'red'], code: 2, stderr: [/\/color/] },
  {
    argv: ['groups', 'auto-detect', '<agents>'],
    stdout: [/^match +2\ncame in +2\nleft +0\nkept elsewhere +0\nworkflows +2\n$/],
    stderr: '',
  },
  { argv: ['groups', 'auto-detect', '<hand>'], code: 3, stdout: '', stderr: [/has no rules/] },
  {
    argv: ['groups', 'assign', '<hand>', '<order>', '<refund>'],
    stdout: [
      /^group +grp_/,
      /name +By hand\n/,
      /rules +–\n/,
      /workflows +2\ntraces +2\n/,
      /mean score +[\d.]+ \([A-F]\)\n$/,
    ],
    stderr: '',
  },
  { argv: ['groups', 'assign', '<hand>', 'wf_none'], code: 2, stdout: '', stderr: [/\/workflow_ids\/0/] },
  { argv: ['groups', 'auto-detect', '<agents>', '--json'], stdout: [/"kept_elsewhere": \[\n/, '"<refund>"'] },
  {
    argv: ['groups', 'show', '<agents>'],
    stdout: [/description +by name\n/, /rules +\{"match":"all"/, /workflows +1\n/],
  },
  { argv: ['groups', 'workflows', '--group', '<hand>'], stdout: [/\norder workflow /, /\nrefund-agent /, '<hand>'] },
  {
    argv: ['groups', 'list'],
    stdout: [/^NAME +WORKFLOWS +TRACES +MEAN SCORE +GROUP\nBy hand +2 +2 /, /\nAgents +1 +1 /],
  },
  { argv: ['groups', 'delete', '<hand>'], stdout: '', stderr: 'Deleted <hand>.\n' },
  { argv: ['groups', 'show', '<hand>'], code: 2, stdout: '', stderr: [/^misstep: not_found: /] },
  { argv: ['groups', 'list', '--json'], stdout: [/"total": 1/], stderr: '' },
];

buildStory({ title: 'analytics', steps: ANALYTICS });
buildStory({
  title: 'groups',
  steps: GROUPS,
  // The id of a workflow is derived from source, service and name, so it is known before the workflow runs.
  prepare: async () => ({
    order: workflowIdOf('langgraph', 'order-flow', 'order workflow'),
    refund: workflowIdOf('openai-agents', 'refund-desk', 'refund-agent'),
  }),
});

/** Role of an agent, derived from its name: the name is all that frameworks have in common. */
export type ActRole = 'planner' | 'executor' | 'verifier' | 'browser' | 'files' | 'coder' | 'user' | 'worker';

export const ACT_ROLES: readonly ActRole[] = [
  'planner',
  'executor',
  'verifier',
  'browser',
  'files',
  'coder',
  'user',
  'worker',
];

const ROLE_NAMES: readonly [ActRole, RegExp][] = [
  ['planner', /orchestrat|manager|planner|supervisor|coordinat|director|router|lead\b|ceo|cto/i],
  ['executor', /terminal|executor|interpreter|sandbox|bash|shell|console|runner|proxy/i],
  ['verifier', /verif|validat|critic|review|check|judge|tester|\bqa\b|audit/i],
  ['browser', /web|surf|brows|search|internet|navigat/i],
  ['files', /file|document|pdf|reader/i],
  ['coder', /cod(?:e|er|ing)\b|program|develop|engineer|debug|python|script/i],
];

export function roleOf(name: string, kind: 'llm' | 'tool' | 'user' | 'system' | 'other'): ActRole {
  if (kind === 'user' || kind === 'system') return 'user';
  const named = ROLE_NAMES.find(([, pattern]) => pattern.test(baseAgent(name)))?.[0];
  return named ?? (kind === 'tool' ? 'executor' : 'worker');
}

/** `Orchestrator (thought)` and `Orchestrator (-> WebSurfer)` are one agent. */
export function baseAgent(name: string): string {
  const open = name.indexOf(' (');
  return open > 0 ? name.slice(0, open) : name;
}

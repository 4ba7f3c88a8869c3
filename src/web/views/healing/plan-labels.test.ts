import { expect, it } from 'vitest';
import { consequenceText, planActionLabels, targetLabel } from './plan-labels.ts';

it.each([
  ['manual', 'guide', 'loop_guard', 'guide · loop guard, by hand'],
  ['manual', '', 'config_change', 'configuration change, by hand'],
  ['config_file', 'agents/planner.json', 'prompt_change', 'File · agents/planner.json'],
  ['settings', 'settings', 'config_change', 'Misstep settings'],
] as const)('a plan for %s at "%s" changes: %s', (executor, target_text, fix_type, label) => {
  expect(targetLabel({ executor, target_text, fix_type })).toBe(label);
});

it('says who undoes a change that was made by hand', () => {
  expect(planActionLabels('rollback', true).label).toBe('Record as undone');
  expect(consequenceText({ status: 'applied', executor: 'manual' })).toContain('If you undo it by hand');
  expect(planActionLabels('rollback', false).label).toBe('Roll back');
  expect(consequenceText({ status: 'applied', executor: 'config_file' })).toBeNull();
});

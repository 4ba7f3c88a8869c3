import { describe, expect, it } from 'vitest';
import { createRuleMatcher, type GroupCondition, groupRules, type MatchedWorkflow } from './group-rules.ts';

const workflow: MatchedWorkflow = { name: 'Refund desk v2', source: 'langgraph', complexity: 12.5, grade: 'B' };
const holds = (field: string, operator: string, value: unknown, of = workflow) =>
  createRuleMatcher(groupRules.parse({ conditions: [{ field, operator, value }] }))(of);

describe('a condition', () => {
  it.each<[string, string, unknown, boolean]>([
    ['name', 'eq', 'Refund desk v2', true],
    ['name', 'eq', 'refund desk v2', false],
    ['name', 'ne', 'Refund desk v2', false],
    ['name', 'contains', 'desk', true],
    ['name', 'contains', 'Desk', false],
    ['name', 'starts_with', 'Refund', true],
    ['name', 'starts_with', 'desk', false],
    ['name', 'ends_with', 'v2', true],
    ['name', 'ends_with', 'desk', false],
    ['name', 'matches', '^Refund .* v\\d+$', true],
    ['name', 'matches', '(?i)refund', true],
    ['name', 'matches', 'refund', false],
    ['source', 'eq', 'langgraph', true],
    ['source', 'eq', 'crewai', false],
    ['source', 'ne', 'crewai', true],
    ['source', 'in', ['crewai', 'langgraph'], true],
    ['source', 'in', ['crewai'], false],
    ['complexity', 'gt', 12.5, false],
    ['complexity', 'gte', 12.5, true],
    ['complexity', 'lt', 12.6, true],
    ['complexity', 'lte', 12.4, false],
    ['complexity', 'eq', 12.5, true],
    ['complexity', 'ne', 12.5, false],
    ['grade', 'eq', 'B', true],
    ['grade', 'ne', 'B', false],
    ['grade', 'gte', 'B', true],
    ['grade', 'gte', 'C', true],
    ['grade', 'gte', 'A', false],
    ['grade', 'lt', 'A', true],
    ['grade', 'lt', 'B', false],
    ['grade', 'gt', 'C', true],
    ['grade', 'lte', 'B', true],
    ['grade', 'in', ['A', 'B'], true],
    ['grade', 'in', ['F'], false],
  ])('%s %s %j: %s', (field, operator, value, expected) => {
    expect(holds(field, operator, value)).toBe(expected);
  });

  it.each(['eq', 'ne', 'lt', 'gte'])('on the grade (%s) matches no workflow without a grade', (operator) => {
    expect(holds('grade', operator, 'B', { ...workflow, grade: null })).toBe(false);
  });

  it('whose pattern a backtracking matcher never finishes has a result', () => {
    const name = 'a'.repeat(50_000);
    expect(holds('name', 'matches', '^(a+)+$b', { ...workflow, name })).toBe(false);
  });
});

describe('several conditions', () => {
  const conditions: GroupCondition[] = [
    { field: 'source', operator: 'eq', value: 'langgraph' },
    { field: 'grade', operator: 'eq', value: 'A' },
  ];
  it.each(['all', 'any'] as const)('%s of them', (match) => {
    expect(createRuleMatcher({ match, conditions })(workflow)).toBe(match === 'any');
  });
});

describe('rules are refused', () => {
  it.each<[string, unknown]>([
    ['without conditions', []],
    ['with an unknown field', [{ field: 'owner', operator: 'eq', value: 'me' }]],
    ['with an operator of another field', [{ field: 'complexity', operator: 'contains', value: 'a' }]],
    ['with a value of another kind', [{ field: 'complexity', operator: 'gt', value: '3' }]],
    ['with an unknown grade', [{ field: 'grade', operator: 'eq', value: 'E' }]],
    ['with a broken pattern', [{ field: 'name', operator: 'matches', value: '(' }]],
    ['with a pattern that RE2 does not have', [{ field: 'name', operator: 'matches', value: '(a)\\1' }]],
    ['with look-ahead', [{ field: 'name', operator: 'matches', value: '(?=a)' }]],
    ['with an empty name', [{ field: 'name', operator: 'contains', value: '' }]],
  ])('%s', (_name, conditions) => {
    expect(groupRules.safeParse({ conditions }).success).toBe(false);
  });
});

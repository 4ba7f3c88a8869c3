import { RE2JS } from 're2js';
import { z } from 'zod';
import type { Grade } from '../detections/quality.ts';

const GRADES = ['A', 'B', 'C', 'D', 'F'] as const satisfies readonly Grade[];
const text = z.string().min(1).max(500);
const grade = z.enum(GRADES);

/** RE2: no look-around and no back-references, so that every pattern is fast on every name. */
const pattern = text.refine(isPattern, {
  message: 'must be a pattern in the syntax of RE2 (no look-around, no back-references)',
});

const nameCondition = z.discriminatedUnion('operator', [
  z.strictObject({ field: z.literal('name'), operator: z.literal('matches'), value: pattern }),
  z.strictObject({
    field: z.literal('name'),
    operator: z.enum(['eq', 'ne', 'contains', 'starts_with', 'ends_with']),
    value: text,
  }),
]);

const sourceCondition = z.discriminatedUnion('operator', [
  z.strictObject({ field: z.literal('source'), operator: z.enum(['eq', 'ne']), value: text }),
  z.strictObject({ field: z.literal('source'), operator: z.literal('in'), value: z.array(text).min(1).max(100) }),
]);

const complexityCondition = z.strictObject({
  field: z.literal('complexity'),
  operator: z.enum(['eq', 'ne', 'lt', 'lte', 'gt', 'gte']),
  value: z.number().min(0).max(1e9).describe('Mean number of steps in a run'),
});

const gradeCondition = z.discriminatedUnion('operator', [
  z.strictObject({
    field: z.literal('grade'),
    operator: z.enum(['eq', 'ne', 'lt', 'lte', 'gt', 'gte']).describe('`gte` B: B or better'),
    value: grade,
  }),
  z.strictObject({ field: z.literal('grade'), operator: z.literal('in'), value: z.array(grade).min(1).max(5) }),
]);

/** Each field has its own operators and values, so that an error names the invalid one. */
export const groupCondition = z
  .discriminatedUnion('field', [nameCondition, sourceCondition, complexityCondition, gradeCondition])
  .meta({ id: 'WorkflowGroupCondition' });
export type GroupCondition = z.output<typeof groupCondition>;

export const groupRules = z
  .strictObject({
    match: z.enum(['all', 'any']).default('all'),
    conditions: z.array(groupCondition).min(1).max(50),
  })
  .meta({ id: 'WorkflowGroupRules' });
export type GroupRules = z.output<typeof groupRules>;

/** The facts that rules use. */
export interface MatchedWorkflow {
  name: string;
  source: string;
  /** Mean number of steps in a run. */
  complexity: number;
  /** Null while no run has a score: then no condition on the grade holds. */
  grade: Grade | null;
}

/** Patterns are compiled once for many workflows. */
export function createRuleMatcher({ match, conditions }: GroupRules): (workflow: MatchedWorkflow) => boolean {
  const tests = conditions.map(toTest);
  return (workflow) => (match === 'all' ? tests.every((test) => test(workflow)) : tests.some((test) => test(workflow)));
}

type Test = (workflow: MatchedWorkflow) => boolean;

function toTest(condition: GroupCondition): Test {
  switch (condition.field) {
    case 'name':
      return nameTest(condition);
    case 'source':
      return ({ source }) =>
        condition.operator === 'in'
          ? condition.value.includes(source)
          : (source === condition.value) === (condition.operator === 'eq');
    case 'complexity':
      return ({ complexity }) => compare(complexity - condition.value, condition.operator);
    case 'grade':
      return ({ grade: actual }) => actual !== null && gradeHolds(actual, condition);
  }
}

function nameTest({ operator, value }: Extract<GroupCondition, { field: 'name' }>): Test {
  switch (operator) {
    case 'matches': {
      const expression = RE2JS.compile(value);
      return ({ name }) => expression.matcher(name).find();
    }
    case 'eq':
      return ({ name }) => name === value;
    case 'ne':
      return ({ name }) => name !== value;
    case 'contains':
      return ({ name }) => name.includes(value);
    case 'starts_with':
      return ({ name }) => name.startsWith(value);
    case 'ends_with':
      return ({ name }) => name.endsWith(value);
  }
}

function gradeHolds(actual: Grade, condition: Extract<GroupCondition, { field: 'grade' }>): boolean {
  if (condition.operator === 'in') return condition.value.includes(actual);
  // A is the best and comes first.
  return compare(GRADES.indexOf(condition.value) - GRADES.indexOf(actual), condition.operator);
}

function compare(difference: number, operator: 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte'): boolean {
  switch (operator) {
    case 'eq':
      return difference === 0;
    case 'ne':
      return difference !== 0;
    case 'lt':
      return difference < 0;
    case 'lte':
      return difference <= 0;
    case 'gt':
      return difference > 0;
    case 'gte':
      return difference >= 0;
  }
}

function isPattern(value: string): boolean {
  try {
    RE2JS.compile(value);
    return true;
  } catch {
    return false;
  }
}

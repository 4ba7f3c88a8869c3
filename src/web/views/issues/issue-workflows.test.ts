import { expect, it } from 'vitest';
import { workflowText } from './issue-workflows.ts';

const workflow = (name: string, service_name: string | null = null) => ({
  workflow_id: name,
  name,
  service_name,
  source: 'langgraph',
});

it.each<[Parameters<typeof workflowText>[0], string]>([
  [[], ''],
  [[workflow('refund')], 'Workflow: refund'],
  [[workflow('refund', 'shop'), workflow('refund', 'desk')], 'Workflow: refund · Service: shop, desk'],
  [['a', 'b', 'c', 'd'].map((name) => workflow(name, 'shop')), 'Workflow: a, b and 2 more · Service: shop'],
])('%j is %s', (workflows, expected) => {
  expect(workflowText(workflows)).toBe(expected);
});

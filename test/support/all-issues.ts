import type { IssueQuery } from '../../src/features/issues/issue.tasks.ts';

/** All issues, in default order. */
export const ALL_ISSUES: IssueQuery = {
  filter: {
    status: null,
    detectionType: null,
    subtype: null,
    agentId: null,
    service: null,
    workflowId: null,
    severity: null,
    isRegressed: null,
    isNew: null,
  },
  text: null,
  sort: 'impact',
};

export function onlyIssues(filter: Partial<IssueQuery['filter']>): IssueQuery {
  return { ...ALL_ISSUES, filter: { ...ALL_ISSUES.filter, ...filter } };
}

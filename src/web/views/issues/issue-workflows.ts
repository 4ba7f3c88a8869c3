import type { Issue } from '../../../client/misstep-client.generated.ts';
import { visibleText } from '../../parts/visible-text.ts';

type AffectedWorkflows = Issue['affected_workflows'];

const MAX_NAMES = 2;

/** The workflows and services of an issue: `Workflow: refund and 3 more · Service: shop`; empty for an issue without a stored run. */
export function workflowText(workflows: AffectedWorkflows): string {
  const names = [...new Set(workflows.map(({ name }) => name))];
  const services = serviceNames(workflows);
  return [
    ...(names.length === 0 ? [] : [`Workflow: ${listed(names)}`]),
    ...(services.length === 0 ? [] : [`Service: ${listed(services)}`]),
  ].join(' · ');
}

export function serviceNames(workflows: AffectedWorkflows): string[] {
  return [...new Set(workflows.flatMap(({ service_name }) => (service_name === null ? [] : [service_name])))];
}

function listed(names: readonly string[]): string {
  const rest = names.length - MAX_NAMES;
  return visibleText(names.slice(0, MAX_NAMES).join(', ')) + (rest > 0 ? ` and ${rest} more` : '');
}

import type { ComponentChildren } from 'preact';
import type { DetectorSwitches, Severity, Workflow } from '../../../client/misstep-client.generated.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { typeLabel } from '../../parts/type-label.ts';
import { visibleText } from '../../parts/visible-text.ts';
import type { IssuesQuery } from './issue-query.ts';
import style from './issues.module.css';

const MAX_WORKFLOWS = 200;
const SEVERITIES: readonly Severity[] = ['critical', 'warning', 'info', 'observation'];

interface FilterChoicesProps {
  query: IssuesQuery;
  onChange(changes: IssuesQuery): void;
}

/** Filters of the list of issues by severity, kind, service and workflow. */
export function FilterChoices({ query, onChange }: FilterChoicesProps) {
  const tenant_id = tenantId.value;
  const detectors = useQuery(tenant_id === null ? null : `detectors/${tenant_id}/switches`, (signal) =>
    server.settings.detectors({ tenant_id: tenant_id! }, { signal }),
  );
  const workflows = useQuery(tenant_id === null ? null : `workflows/${tenant_id}/choices`, (signal) =>
    server.workflows.list({ tenant_id: tenant_id!, page_size: MAX_WORKFLOWS }, { signal }),
  );
  const known = workflows.value.value?.items ?? [];
  return (
    <div class={style.choices}>
      <Choice
        label="Severity"
        value={query.severity}
        values={SEVERITIES.map((severity) => ({ value: severity, label: severity }))}
        onChange={(severity) => onChange({ severity })}
      />
      <Choice
        label="Kind"
        value={query.type && query.subtype ? `${query.type}/${query.subtype}` : query.type}
        values={[]}
        onChange={(kind) => {
          const [type = '', subtype = ''] = kind.split('/');
          onChange({ type, subtype });
        }}
      >
        {(detectors.value.value?.items ?? []).map((detector) => (
          <KindGroup key={detector.detector} detector={detector} />
        ))}
      </Choice>
      <Choice
        label="Service"
        value={query.service}
        values={servicesOf(known).map((service) => ({ value: service, label: service }))}
        onChange={(service) => onChange({ service })}
      />
      <Choice
        label="Workflow"
        value={query.workflow}
        values={known.map((workflow) => ({ value: workflow.workflow_id, label: workflowLabel(workflow) }))}
        onChange={(workflow) => onChange({ workflow })}
      />
      {workflows.value.value?.next_cursor != null && (
        <p class={style.choicesNote}>The {MAX_WORKFLOWS} workflows with the newest runs. Search finds the others.</p>
      )}
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string | undefined;
  values: readonly { value: string; label: string }[];
  /** Further options. */
  children?: ComponentChildren;
  onChange(value: string): void;
}

function Choice({ label, value = '', values, children, onChange }: ChoiceProps) {
  return (
    <label class={style.choice}>
      {label}
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">All</option>
        {values.map((one) => (
          <option key={one.value} value={one.value}>
            {visibleText(one.label)}
          </option>
        ))}
        {children}
      </select>
    </label>
  );
}

function KindGroup({ detector }: { detector: DetectorSwitches['items'][number] }) {
  const { detector: type, title, subtypes } = detector;
  return (
    <optgroup label={title}>
      <option value={type}>{title}: all</option>
      {subtypes.map(({ subtype }) => (
        <option key={subtype} value={`${type}/${subtype}`}>
          {typeLabel(subtype)}
        </option>
      ))}
    </optgroup>
  );
}

function servicesOf(workflows: readonly Workflow[]): string[] {
  const names = workflows.flatMap(({ service_name }) => (service_name === null ? [] : [service_name]));
  return [...new Set(names)].sort((a, b) => a.localeCompare(b));
}

function workflowLabel({ name, service_name }: Workflow): string {
  return service_name === null || service_name === name ? name : `${name} (${service_name})`;
}

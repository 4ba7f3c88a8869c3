import { z } from 'zod';
import { vendorMetricName } from './vendor-series.ts';

const metricQuery = z.object({
  data_source: z.literal('metrics'),
  name: z.string().regex(/^[a-z][a-z0-9_]*$/),
  query: z.string(),
  aggregator: z.enum(['avg', 'min', 'max', 'sum', 'last']).optional(),
});
const request = {
  formulas: z.array(z.object({ formula: z.string(), alias: z.string().optional() })).min(1),
  queries: z.array(metricQuery).min(1),
};
const definition = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('timeseries'),
    title: z.string(),
    show_legend: z.boolean(),
    requests: z
      .array(
        z.object({
          ...request,
          response_format: z.literal('timeseries'),
          display_type: z.enum(['area', 'bars', 'line', 'overlay']),
        }),
      )
      .min(1),
  }),
  z.object({
    type: z.literal('query_value'),
    title: z.string(),
    autoscale: z.boolean(),
    precision: z.int().min(0),
    requests: z.array(z.object({ ...request, response_format: z.literal('scalar') })).length(1),
  }),
]);

/** Body of `POST /api/v1/dashboard`. Source: docs.datadoghq.com/api/latest/dashboards, version 1. */
export const dashboardRecord = z
  .object({
    title: z.string(),
    description: z.string(),
    layout_type: z.literal('ordered'),
    reflow_type: z.literal('auto').describe('Widgets then have no layout of their own'),
    notify_list: z.array(z.string()),
    template_variables: z.array(z.object({ name: z.string(), prefix: z.string(), defaults: z.array(z.string()) })),
    widgets: z.array(z.object({ definition })),
  })
  .meta({ id: 'VendorDashboard' });
export type Dashboard = z.output<typeof dashboardRecord>;

type Widget = Dashboard['widgets'][number];

/** @param tenantId null shows the instance */
export function vendorDashboard(tenantId: string | null): Dashboard {
  const filter = tenantId === null ? '*' : '$tenant';
  const counted = (name: string, by = '') =>
    `sum:${vendorMetricName(name, tenantId)}{${filter}}${by === '' ? '' : ` by {${by}}`}.as_count()`;
  const issues = `avg:${vendorMetricName('issues_open', tenantId)}{${filter}} by {severity}`;
  return {
    title: tenantId === null ? 'Misstep: the instance' : 'Misstep: agent traces',
    description: 'Received traces, detections and cost. Sent by POST /metrics/vendor/flush.',
    layout_type: 'ordered',
    reflow_type: 'auto',
    notify_list: [],
    template_variables: tenantId === null ? [] : [{ name: 'tenant', prefix: 'tenant', defaults: [tenantId] }],
    widgets: [
      total('Traces', counted('traces'), 0),
      total('Detections', counted('detections'), 0),
      total('Tokens', counted('tokens'), 0),
      total('Cost (US dollars)', counted('cost_usd'), 2),
      overTime('Traces', counted('traces')),
      overTime('Detections by type', counted('detections', 'type')),
      overTime('Detections by severity', counted('detections', 'severity')),
      overTime('Open issues', issues, 'line'),
      overTime('Cost (US dollars)', counted('cost_usd')),
      overTime('Alerts', counted('alerts', 'channel,outcome')),
    ],
  };
}

function total(title: string, query: string, precision: number): Widget {
  const queries = [{ data_source: 'metrics' as const, name: 'query1', query, aggregator: 'sum' as const }];
  const requests = [{ formulas: [{ formula: 'query1' }], queries, response_format: 'scalar' as const }];
  return { definition: { type: 'query_value', title, autoscale: true, precision, requests } };
}

function overTime(title: string, query: string, display: 'bars' | 'line' = 'bars'): Widget {
  const queries = [{ data_source: 'metrics' as const, name: 'query1', query }];
  const format = { response_format: 'timeseries' as const, display_type: display };
  const requests = [{ formulas: [{ formula: 'query1' }], queries, ...format }];
  return { definition: { type: 'timeseries', title, show_legend: true, requests } };
}

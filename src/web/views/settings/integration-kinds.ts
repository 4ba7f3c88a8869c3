import type { Registration } from '../../../client/misstep-client.generated.ts';
import { server } from '../../data/server.ts';
import type { IntegrationField, IntegrationKind, Platform } from './integration-kind.ts';

export const PLATFORMS: Readonly<Record<Platform, string>> = {
  flowplatform: 'n8n',
  llmapps: 'Dify',
  graphruntime: 'LangGraph Platform',
  agentsession: 'OpenClaw',
};

const SYNC_INTERVAL_FIELD: IntegrationField = {
  name: 'sync_every_minutes',
  label: 'Fetch runs every (minutes)',
  hint: '1 to 10,080; leave empty to fetch only when you ask.',
  numberRange: [1, 10_080],
};

// biome-ignore lint/suspicious/noExplicitAny: the fields of each kind are those of its request body; the server validates them
type Body = any;

/** All kinds, in the order of the form. */
export const KINDS: readonly IntegrationKind[] = [
  {
    platform: 'flowplatform',
    kind: 'instance',
    title: 'n8n instance',
    url: 'required',
    urlExample: 'https://n8n.example.com',
    details: [SYNC_INTERVAL_FIELD],
    credentials: [
      {
        name: 'api_key',
        label: 'API key',
        hint: 'Needed to fetch runs and to execute plans. In n8n: Settings, n8n API.',
      },
    ],
    isCalled: true,
    register: (body: Body) => server.flowplatform.registerInstance({ body }),
  },
  {
    platform: 'flowplatform',
    kind: 'workflow',
    title: 'n8n workflow',
    url: 'none',
    details: [{ name: 'external_id', label: 'Workflow ID in n8n', isRequired: true }],
    credentials: [],
    parent: { kind: 'instance', member: 'instance_id', label: 'n8n instance', isRequired: false },
    isCalled: false,
    register: (body: Body) => server.flowplatform.registerWorkflow({ body }),
  },
  {
    platform: 'llmapps',
    kind: 'instance',
    title: 'Dify instance',
    url: 'required',
    urlExample: 'https://dify.example.com',
    details: [SYNC_INTERVAL_FIELD],
    credentials: [],
    isCalled: false,
    register: (body: Body) => server.llmapps.registerInstance({ body }),
  },
  {
    platform: 'llmapps',
    kind: 'app',
    title: 'Dify app',
    url: 'none',
    details: [{ name: 'external_id', label: 'App ID in Dify' }],
    credentials: [
      { name: 'api_key', label: 'API key', hint: 'Needed to fetch runs. In Dify: the app’s API access page.' },
    ],
    parent: { kind: 'instance', member: 'instance_id', label: 'Dify instance', isRequired: false },
    isCalled: true,
    register: (body: Body) => server.llmapps.registerApp({ body }),
  },
  {
    platform: 'graphruntime',
    kind: 'deployment',
    title: 'LangGraph deployment',
    url: 'required',
    urlExample: 'https://langgraph.example.com',
    details: [],
    credentials: [
      {
        name: 'api_key',
        label: 'API key',
        hint: 'Needed to fetch threads and to execute plans if the server requires a key.',
      },
      { name: 'authorization', label: 'Authorization header', hint: 'For a server behind a proxy that asks for one.' },
    ],
    isCalled: true,
    register: (body: Body) => server.graphruntime.registerDeployment({ body }),
  },
  {
    platform: 'graphruntime',
    kind: 'assistant',
    title: 'LangGraph assistant',
    url: 'none',
    details: [
      { name: 'graph_id', label: 'Graph', hint: 'Its name in langgraph.json.', isRequired: true },
      { name: 'external_id', label: 'Assistant ID', hint: 'Leave empty for the graph’s default assistant.' },
    ],
    credentials: [],
    parent: { kind: 'deployment', member: 'deployment_id', label: 'LangGraph deployment', isRequired: true },
    isCalled: false,
    register: async (body: Body) => {
      await server.graphruntime.registerAssistant({ body });
      // An assistant sends no webhooks of its own.
      return {};
    },
  },
  {
    platform: 'agentsession',
    kind: 'instance',
    title: 'OpenClaw gateway',
    url: 'optional',
    urlExample: 'https://openclaw.example.com',
    details: [],
    credentials: [],
    isCalled: false,
    register: (body: Body) => server.agentsession.registerInstance({ body }),
  },
  {
    platform: 'agentsession',
    kind: 'agent',
    title: 'OpenClaw agent',
    url: 'none',
    details: [{ name: 'external_id', label: 'Agent ID in OpenClaw', hint: 'Such as main.', isRequired: true }],
    credentials: [],
    parent: { kind: 'instance', member: 'instance_id', label: 'OpenClaw gateway', isRequired: false },
    isCalled: false,
    register: (body: Body) => server.agentsession.registerAgent({ body }),
  },
];

/** Undefined for a kind that this page does not know. */
export function kindOf({ integration, kind }: Pick<Registration, 'integration' | 'kind'>): IntegrationKind | undefined {
  return KINDS.find((candidate) => candidate.platform === integration && candidate.kind === kind);
}

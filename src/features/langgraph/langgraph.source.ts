import { z } from 'zod';
import { productOf } from '../../core/integration.ts';
import { decodeServerRun } from '../../formats/langgraph-server/decode-run.ts';
import type { IntegrationSource, RegistrationKind } from '../integrations/integration-source.ts';
import { decodeShallow, webhookJson } from '../integrations/webhook-body.ts';
import { endedRuns, scheduleHistories } from './history-job.ts';

const credential = z.string().trim().min(1).max(4_096).optional();

/** A LangGraph server, whose threads Misstep reads. */
export const langGraphDeployment: RegistrationKind = {
  name: 'deployment',
  path: 'deployments',
  idPrefix: 'dep',
  idName: 'deployment_id',
  url: 'required',
  details: {},
  credentials: {
    api_key: credential.describe('Sent as `x-api-key`; stored encrypted, never shown'),
    authorization: credential.describe('Sent as `Authorization`, for a server with its own authentication'),
  },
  hasWebhook: true,
};

/** A graph with its configuration. */
export const langGraphAssistant: RegistrationKind = {
  name: 'assistant',
  path: 'assistants',
  idPrefix: 'ast',
  idName: 'assistant_id',
  parent: { kind: 'deployment', isRequired: true },
  url: 'none',
  details: {
    graph_id: z.string().trim().min(1).max(128).describe('Name of the graph in `langgraph.json`'),
    external_id: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9_-]{1,128}$/, 'must be an id of LangGraph')
      .nullable()
      .optional()
      .describe('Its id in LangGraph; null: the graph’s own assistant'),
  },
  externalIdName: 'external_id',
  credentials: {},
  hasWebhook: false,
};

export const langgraph: IntegrationSource = {
  integration: 'graphruntime',
  platform: productOf('graphruntime'),
  isAlwaysSigned: false,
  kinds: [langGraphDeployment, langGraphAssistant],
  /** The nodes of the run are not in it: one whose nodes are known stays as it is. */
  decode(body) {
    const value = webhookJson(body);
    return { ...decodeShallow(() => decodeServerRun(value)), isSummary: true };
  },
  endedRuns,
  onReceived: scheduleHistories,
};

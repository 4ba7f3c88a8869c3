import { defineOperation } from '../_kit/operation.ts';
import { pageOf, pageQuery, toPageRequest } from '../_kit/page.ts';
import { tenantOfCaller } from '../_kit/tenant-of-caller.ts';
import { fetchRecord } from './fetch.record.ts';
import { LANGGRAPH } from './langgraph.services.ts';

export const listFetchesOperation = defineOperation({
  id: 'graphruntime.fetches',
  method: 'GET',
  path: '/graphruntime/fetches',
  summary: 'Runs of LangGraph whose nodes are still to be fetched, or could not be',
  access: { kind: 'tenant', scope: 'read' },
  isOfCallersTenant: true,
  query: pageQuery,
  output: pageOf(fetchRecord),
  status: 200,
  run: (services, input, caller) =>
    services.platforms.of(LANGGRAPH).histories.list(tenantOfCaller(caller), toPageRequest(input)),
});

export const langgraphOperations = [listFetchesOperation];

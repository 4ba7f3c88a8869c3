import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { pageOf, pageQuery, toPageRequest } from '../_kit/page.ts';
import { tenantOfCaller } from '../_kit/tenant-of-caller.ts';
import { importRecord, importResultsRecord, JOB_STATUSES } from './import.record.ts';

const importParams = z.object({ import_job_id: z.string() });

export const listImportsOperation = defineOperation({
  id: 'import-jobs.list',
  method: 'GET',
  path: '/import-jobs',
  summary: 'Import jobs of the credential’s tenant, newest first',
  access: { kind: 'tenant', scope: 'read' },
  isOfCallersTenant: true,
  query: pageQuery.extend({
    status: z.enum(JOB_STATUSES).optional(),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
      .describe('Only of a file with this content'),
  }),
  output: pageOf(importRecord),
  status: 200,
  run: (services, input, caller) =>
    services.imports.list(
      tenantOfCaller(caller),
      { status: input.status ?? null, contentHash: input.sha256 ?? null },
      toPageRequest(input),
    ),
});

export const getImportOperation = defineOperation({
  id: 'import-jobs.get',
  method: 'GET',
  path: '/import-jobs/{import_job_id}',
  summary: 'Progress of an import',
  access: { kind: 'tenant', scope: 'read' },
  isOfCallersTenant: true,
  params: importParams,
  output: importRecord,
  status: 200,
  run: (services, input, caller) => services.imports.get(tenantOfCaller(caller), input.import_job_id),
});

export const importResultsOperation = defineOperation({
  id: 'import-jobs.results',
  method: 'GET',
  path: '/import-jobs/{import_job_id}/results',
  summary: 'Imported traces and rejected records of an import',
  access: { kind: 'tenant', scope: 'read' },
  isOfCallersTenant: true,
  params: importParams,
  query: pageQuery.omit({ cursor: true }),
  output: importResultsRecord,
  status: 200,
  run: (services, { import_job_id, page, page_size }, caller) =>
    services.imports.results(tenantOfCaller(caller), import_job_id, { page, pageSize: page_size, cursor: null }),
});

export const deleteImportOperation = defineOperation({
  id: 'import-jobs.delete',
  method: 'DELETE',
  path: '/import-jobs/{import_job_id}',
  summary: 'Cancel an open import, or delete the record of a finished one; imported traces are kept',
  access: { kind: 'tenant', scope: 'write' },
  isOfCallersTenant: true,
  params: importParams,
  output: z.null(),
  status: 204,
  async run(services, { import_job_id }, caller) {
    await services.imports.remove(tenantOfCaller(caller), import_job_id);
    return null;
  },
});

export const importOperations = [
  listImportsOperation,
  getImportOperation,
  importResultsOperation,
  deleteImportOperation,
];

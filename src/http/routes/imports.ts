import type { IncomingMessage } from 'node:http';
import { Busboy } from '@fastify/busboy';
import type Router from '@koa/router';
import { z } from 'zod';
import { AppError } from '../../core/app-error.ts';
import type { Caller } from '../../features/_kit/caller.ts';
import { tenantOfCaller } from '../../features/_kit/tenant-of-caller.ts';
import { MAX_UPLOAD_BYTES, type ReceivedFile, tooLarge } from '../../features/imports/import-folder.ts';
import type { Services } from '../../features/services.ts';
import { FORMAT_NAMES } from '../../formats/detect/detect-format.ts';
import { authorize } from '../authorize.ts';
import { drainBody, withBodySpeedLimit } from '../body-speed.ts';
import { decodeQuery } from '../decode-query.ts';
import type { HttpContext, HttpState } from '../http-context.ts';
import { runOnceByHash } from '../idempotency-key.ts';
import { isJsonType, mediaTypeOf, rejectMediaType } from '../media-type.ts';
import { API_PREFIX, createRouter, type RouterParts } from '../operation-router.ts';
import { respondWith } from '../respond.ts';

const PATH = `${API_PREFIX}/import-jobs`;
const ACCESS = { kind: 'tenant', scope: 'write' } as const;
const LINES = new Set(['application/x-ndjson', 'application/jsonl', 'application/x-jsonlines', 'application/ndjson']);
const COMPRESSED = new Set(['application/gzip', 'application/x-gzip']);
const MAX_NAME = 200;

const importQuery = z.object({
  format: z.enum(FORMAT_NAMES).optional(),
  alert: z.boolean().default(false),
  file_name: z.string().max(MAX_NAME).optional(),
});

/** Uploads are larger than a body that fits in memory: they are streamed to disk. */
export function importRoutes(parts: RouterParts): Router<HttpState> {
  const router = createRouter();
  router.post(PATH, (ctx) => acceptUpload(parts, ctx as HttpContext));
  return router;
}

async function acceptUpload({ services, authenticate, config }: RouterParts, ctx: HttpContext): Promise<void> {
  ctx.state.route = 'import-jobs.create';
  const upload = { file: null as ReceivedFile | null };
  try {
    const caller = await authenticate(ctx);
    await authorize(services, ACCESS, caller, null, { isRegistrationOpen: false });
    const tenantId = tenantOfCaller(caller);
    services.storage.assertWritable();
    const query = decodeQuery(importQuery, ctx.querystring) as z.output<typeof importQuery>;
    if (Number(ctx.headers['content-length'] ?? 0) > MAX_UPLOAD_BYTES + MULTIPART_OVERHEAD) throw tooLarge();
    const basePath = config.publicUrl?.basePath ?? '';
    const { file, fileName } = await withBodySpeedLimit(ctx.req, config.bodyArrival, () => receive(services, ctx));
    upload.file = file;
    await respondOnce({ services, basePath }, ctx, caller, file, async () => {
      const request = { fileName: query.file_name ?? fileName, format: query.format ?? null, isAlerting: query.alert };
      const job = await services.imports.add(tenantId, file, request);
      upload.file = null;
      return { status: 202, body: JSON.stringify(job), location: job.import_job_id };
    });
  } catch (error) {
    drainBody(ctx.req);
    throw error;
  } finally {
    if (upload.file !== null) await services.imports.discard(upload.file);
  }
}

const MULTIPART_OVERHEAD = 64 * 1024;

async function respondOnce(
  { services, basePath }: { services: Services; basePath: string },
  ctx: HttpContext,
  caller: Caller,
  file: ReceivedFile,
  run: () => Promise<{ status: number; body: string; location: string }>,
): Promise<void> {
  const answer = await runOnceByHash(
    services,
    ctx,
    { caller, bodyHash: file.contentHash, sealingCredential: null },
    run,
  );
  const { import_job_id } = JSON.parse(answer.body) as { import_job_id: string };
  ctx.set('Location', `${basePath}${PATH}/${import_job_id}`);
  respondWith(ctx, answer.status, 'application/json', answer.body);
}

interface Upload {
  file: ReceivedFile;
  fileName: string;
}

async function receive(services: Services, ctx: HttpContext): Promise<Upload> {
  const type = mediaTypeOf(ctx.headers['content-type']);
  const coding = (ctx.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (type === 'multipart/form-data') {
    if (coding !== 'identity')
      throw new AppError(
        'unsupported_media_type',
        'A multipart upload takes no Content-Encoding; the file may be gzip.',
      );
    return receiveForm(services, ctx.req);
  }
  if (!isJsonType(type) && !LINES.has(type) && !COMPRESSED.has(type))
    rejectMediaType('multipart/form-data with a field "file", application/json or application/x-ndjson');
  if (!['identity', 'gzip', 'x-gzip'].includes(coding))
    throw new AppError('unsupported_media_type', 'The Content-Encoding must be identity or gzip.');
  // Compression is detected from the content, so gzip is stored as received.
  const file = await services.imports.receive(wholeBody(ctx.req));
  return { file, fileName: LINES.has(type) ? 'upload.jsonl' : 'upload.json' };
}

async function* wholeBody(request: IncomingMessage): AsyncGenerator<Buffer> {
  for await (const chunk of request.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
  if (!request.complete) throw incompleteBody();
}

/** The first file field named `file`; other fields are ignored. */
function receiveForm(services: Services, request: IncomingMessage): Promise<Upload> {
  return new Promise((resolve, reject) => {
    let storing: Promise<Upload> | null = null;
    const form = openForm(request);
    form.on('file', (field, stream, fileName) => {
      if (field !== 'file' || storing !== null) return void stream.resume();
      storing = services.imports.receive(stream).then((file) => ({ file, fileName: shownName(fileName) }));
      // A rejected file must not block the rest of the form.
      storing.catch((error) => {
        stream.resume();
        reject(error);
      });
    });
    form.on('error', () => reject(new AppError('malformed', 'The multipart body cannot be read.')));
    form.on('finish', () => {
      if (storing === null) reject(noFile());
      else storing.then(resolve, reject);
    });
    request.once('close', () => {
      if (!request.complete) reject(incompleteBody());
    });
    request.pipe(form);
  });
}

function openForm(request: IncomingMessage) {
  try {
    return new Busboy({
      headers: request.headers as { 'content-type': string },
      limits: { fields: 20, files: 5, fieldSize: 64 * 1024 },
      // Determined by the field's name, since a JSON file may be sent without a file name.
      isPartAFile: (field, contentType, fileName) =>
        field === 'file' || fileName !== undefined || contentType === 'application/octet-stream',
    });
  } catch {
    throw new AppError('malformed', 'The multipart body has no boundary.');
  }
}

function noFile(): AppError {
  return new AppError('invalid_body', 'The upload contains no file.', {
    errors: [{ pointer: '/file', message: 'send the file in the field "file"' }],
  });
}

function incompleteBody(): AppError {
  return new AppError('malformed', 'The body ended before it was complete.');
}

function shownName(fileName: string | undefined): string {
  const name = (fileName ?? '').split(/[\\/]/).at(-1) ?? '';
  return name === '' ? 'upload' : name.slice(0, MAX_NAME);
}

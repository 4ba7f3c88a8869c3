import type { z } from 'zod';
import type { ErrorCode } from '../../core/app-error.ts';
import type { JsonText } from '../../core/json-text.ts';
import type { Services } from '../services.ts';
import type { BodyLimitName } from './body-limits.ts';
import type { Caller, CallOptions, Scope } from './caller.ts';

/**
 * Who may call: anyone; callers that may register tenants; a credential of the path's tenant that has the scope
 * (the operator passes too); only the operator.
 */
export type Access =
  | { kind: 'public' }
  | { kind: 'registration' }
  | { kind: 'tenant'; scope: Scope }
  | { kind: 'operator' };

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

type Shape = z.ZodObject | undefined;
type Parsed<S extends Shape | z.ZodType | undefined> = S extends z.ZodType ? z.output<S> : unknown;
type Sent<S extends Shape | z.ZodType | undefined> = S extends z.ZodType ? z.input<S> : unknown;

/**
 * One API operation, from which route, validation, permission check, OpenAPI, remote client, command and guard
 * tests are derived. `path` is relative to `/api/v1`. Path, query and body members are merged into one input object.
 */
export interface Operation<
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends z.ZodType | undefined = z.ZodType | undefined,
  O extends z.ZodType = z.ZodType,
> {
  /** `noun.verb`, unique. */
  id: string;
  method: Method;
  path: string;
  summary: string;
  access: Access;
  /** It uses the caller's tenant, since its path names none. */
  isOfCallersTenant?: boolean;
  params?: P;
  /** Query members are decoded from text by the schema's type; unknown names are rejected. */
  query?: Q;
  body?: B;
  /** Body size limit; `settings` if omitted. */
  bodyLimit?: BodyLimitName;
  output: O;
  status: 200 | 201 | 202 | 204;
  /** Set if method and scope do not show whether it stores something (features/storage/needs-storage.ts). */
  storesResult?: boolean;
  /** Errors of its service, beyond those that path, query, body and credential imply. */
  errorCodes?: readonly ErrorCode[];
  /** A `JsonText` is sent in chunks. */
  run(
    services: Services,
    input: Parsed<P> & Parsed<Q> & Parsed<B>,
    caller: Caller,
    callOptions?: CallOptions,
  ): Promise<z.input<O> | JsonText<z.input<O>>>;
  /** The same for a JSON body that would block the event loop too long: the service validates and decodes it on a worker. */
  runUnparsed?(services: Services, input: Parsed<P>, body: Buffer): Promise<z.input<O> | JsonText<z.input<O>>>;
}

// biome-ignore lint/suspicious/noExplicitAny: a list of operations of all shapes
export type AnyOperation = Operation<any, any, any, any>;
export type InputOf<Op> =
  Op extends Operation<infer P, infer Q, infer B, z.ZodType> ? Sent<P> & Sent<Q> & Sent<B> : never;
export type OutputOf<Op> = Op extends Operation<Shape, Shape, z.ZodType | undefined, infer O> ? z.output<O> : never;

export function defineOperation<P extends Shape, Q extends Shape, B extends z.ZodType | undefined, O extends z.ZodType>(
  operation: Operation<P, Q, B, O>,
): Operation<P, Q, B, O> {
  return operation;
}

import { type Client, MisstepError } from '../../src/client/misstep-client.generated.ts';

const tenant_id = 'ten_1';
const detection_id = 'det_1';

/** Never run: the type check fails if one of the marked lines compiles. */
export async function mustNotCompile(client: Client): Promise<void> {
  // @ts-expect-error a member that the query does not have
  await client.traces.list({ tenant_id, colour: 'red' });
  // @ts-expect-error a text that is not a status
  await client.traces.list({ tenant_id, status: 'lost' });
  // @ts-expect-error the tenant is missing
  await client.traces.list({});
  // @ts-expect-error a member that the body does not have
  await client.detections.validate({ tenant_id, detection_id, body: { is_valid: true, mood: 'good' } });
  // @ts-expect-error a body without its required members
  await client.detections.validate({ tenant_id, detection_id, body: {} });
  const detection = await client.detections.get({ tenant_id, detection_id });
  // @ts-expect-error a field that a response does not have
  detection.colour;
  // @ts-expect-error a field that may be null
  detection.agent_id.length;
  // @ts-expect-error a code that no problem has
  if (new MisstepError(500, null, null).code === 'no_such_code') return;
}

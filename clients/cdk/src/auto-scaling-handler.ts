import * as z from 'zod/mini';
import { createGroupReader } from '../../../shared/aws/auto-scaling.ts';
import { createSecretReader } from '../../../shared/aws/secrets-manager.ts';
import { followGroup, type ScalingEvent } from './auto-scaling.ts';
import { clientFor, connectionSchema } from './connection.ts';

const fields = z.record(z.string(), z.unknown());

/** The environment of the function, as JSON. */
const settingsSchema = z.object({
  group: z.string(),
  connection: connectionSchema,
  objects: z.object({
    node: fields,
    services: z.array(fields),
    agents: z.array(
      z.object({ object: fields, place: z.enum(['node', 'pmm_agent', 'anywhere']), watchesItsNode: z.boolean() }),
    ),
  }),
});

const readSecret = createSecretReader();
const readGroup = createGroupReader(process.env);

/** Follows an autoscaling group. A failure is thrown: Lambda then calls it again. */
export async function handler(event: ScalingEvent): Promise<void> {
  const { group: name, connection, objects } = z.parse(settingsSchema, JSON.parse(process.env['SETTINGS'] ?? ''));
  const client = clientFor(connection, async (arn) => (await readSecret(arn)).text);
  const region = process.env['AWS_REGION'] ?? '';
  await followGroup(client, { name, region, objects, readInstances: () => readGroup(name) }, event);
}

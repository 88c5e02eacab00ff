/** Follows an autoscaling group: events arrive as lines, at least once and in any order. */
import { createInterface } from 'node:readline';
import {
  createClient,
  InventoryError,
  listNodes,
  removeNode,
  upsertNode,
} from '../../../clients/typescript/src/index.ts';

interface ScalingEvent {
  'detail-type': string;
  region: string;
  detail: { EC2InstanceId: string; AutoScalingGroupName: string; Details: { 'Availability Zone': string } };
}

const { INVENTORY_URL: url = '', INVENTORY_KEY: key } = process.env;
const client = createClient({ url, key, attempts: 10 });

async function handle({ 'detail-type': type, region, detail }: ScalingEvent): Promise<void> {
  const name = detail.EC2InstanceId;
  if (type === 'EC2 Instance Launch Successful')
    await upsertNode(client, {
      ...{ node_type: 'generic', node_name: name, address: name, region },
      az: detail.Details['Availability Zone'],
      custom_labels: { autoscaling_group: detail.AutoScalingGroupName },
    });
  if (type === 'EC2 Instance Terminate Successful')
    for await (const { node_id } of listNodes(client, { selector: `node_name=${name}` }))
      await removeNode(client, { node_id, force: true }).catch((error: unknown) => {
        // A copy of the event has removed it.
        if (!(error instanceof InventoryError && error.http === 404)) throw error;
      });
}

const events: Promise<void>[] = [];
for await (const line of createInterface(process.stdin)) events.push(handle(JSON.parse(line) as ScalingEvent));
await Promise.all(events);

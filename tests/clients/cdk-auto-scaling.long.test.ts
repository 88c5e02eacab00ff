import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { followGroup, type ScalingGroup } from '../../clients/cdk/src/auto-scaling.ts';
import { clientFor } from '../../clients/cdk/src/connection.ts';
import { createGroupReader } from '../../shared/aws/auto-scaling.ts';
import { bearer, type Client, clientOf, makeKeys, PASSWORD } from '../end-to-end/client.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { type RunningServer, startServer } from '../support/server.ts';

let server: RunningServer;
let aws: Server;
let api: Client;
let group: ScalingGroup;
let follow: (event: any) => Promise<void>;
/** Lifecycle states of the instances of the group, by id. */
const instances = new Map<string, string>();
const requests: { authorization: string | undefined; body: string }[] = [];
let status = 200;

const member = ([id, state]: [string, string]) => `
        <member>
          <ProtectedFromScaleIn>false</ProtectedFromScaleIn>
          <AvailabilityZone>eu-central-1a</AvailabilityZone>
          <LaunchTemplate><LaunchTemplateId>lt-0e0a2b8e3f4c5d6e7</LaunchTemplateId><Version>3</Version></LaunchTemplate>
          <InstanceId>${id}</InstanceId>
          <InstanceType>m7g.large</InstanceType>
          <HealthStatus>Healthy</HealthStatus>
          <LifecycleState>${state}</LifecycleState>
        </member>`;

/** The form of a reply of Auto Scaling. */
const reply = () => `<DescribeAutoScalingGroupsResponse xmlns="http://autoscaling.amazonaws.com/doc/2011-01-01/">
  <DescribeAutoScalingGroupsResult>
    <AutoScalingGroups>
      <member>
        <AvailabilityZones><member>eu-central-1a</member></AvailabilityZones>
        <AutoScalingGroupName>databases</AutoScalingGroupName>
        <Instances>${[...instances].map(member).join('')}
        </Instances>
        <DesiredCapacity>1</DesiredCapacity>
      </member>
    </AutoScalingGroups>
  </DescribeAutoScalingGroupsResult>
</DescribeAutoScalingGroupsResponse>`;

const refusal = '<ErrorResponse><Error><Code>Throttling</Code><Message>Rate exceeded</Message></Error></ErrorResponse>';

beforeAll(async () => {
  aws = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push({ authorization: request.headers.authorization, body });
      response.writeHead(status, { 'content-type': 'text/xml' }).end(status === 200 ? reply() : refusal);
    });
  }).listen(0, '127.0.0.1');
  await once(aws, 'listening');
  server = await startServer(await newDataDir(), { environment: { ADMIN_PASSWORD: PASSWORD } });
  const key = (await makeKeys(server)).keys.Editor;
  api = clientOf(server, bearer(key));
  const Ca = await readFile(join(server.dataDir, 'tls-cert.pem'), 'utf8');
  const client = clientFor({ Url: server.base, SecretArn: 'arn:key', Ca }, () => Promise.resolve(key));
  const readGroup = createGroupReader({
    AWS_REGION: 'eu-central-1',
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(aws.address() as AddressInfo).port}`,
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_SESSION_TOKEN: 'token',
  });
  group = {
    name: 'databases',
    region: 'eu-central-1',
    readInstances: () => readGroup('databases'),
    objects: {
      node: {
        node_type: 'generic',
        node_name: 'db-{instance_id}',
        address: '{instance_id}',
        region: '{region}',
        az: '{availability_zone}',
        custom_labels: { autoscaling_group: 'databases' },
      },
      services: [
        {
          service_type: 'mysql',
          service_name: 'mysql-{instance_id}',
          node_names: ['db-{instance_id}'],
          address: '{instance_id}',
          port: 3306,
        },
      ],
      agents: [
        {
          object: { agent_type: 'pmm_agent', runs_on_node_name: 'db-{instance_id}' },
          place: 'node',
          watchesItsNode: false,
        },
      ],
    },
  };
  follow = (event) => followGroup(client, group, event);
});
afterAll(async () => {
  aws.close();
  await server.stop();
  await removeDataDir(server.dataDir);
});

/** An event as EventBridge delivers it. */
const eventOf = (what: 'Launch' | 'Terminate', id: string) => ({
  version: '0',
  id: '12345678-1234-1234-1234-123456789012',
  'detail-type': `EC2 Instance ${what} Successful`,
  source: 'aws.autoscaling',
  account: '123456789012',
  time: '2026-03-02T09:30:00Z',
  region: 'eu-central-1',
  resources: [
    'arn:aws:autoscaling:eu-central-1:123456789012:autoScalingGroup:8d4c7a1e:autoScalingGroupName/databases',
    `arn:aws:ec2:eu-central-1:123456789012:instance/${id}`,
  ],
  detail: {
    StatusCode: 'InProgress',
    Description: `${what === 'Launch' ? 'Launching a new' : 'Terminating'} EC2 instance: ${id}`,
    AutoScalingGroupName: 'databases',
    ActivityId: '87654321-4321-4321-4321-210987654321',
    Details: { 'Availability Zone': 'eu-central-1a', 'Subnet ID': 'subnet-0a1b2c3d' },
    RequestId: '12345678-1234-1234-1234-123456789012',
    EndTime: '2026-03-02T09:30:00.000Z',
    EC2InstanceId: id,
    StartTime: '2026-03-02T09:29:20.000Z',
    Cause: 'At 2026-03-02T09:29:10Z a user request changed the desired capacity.',
  },
});

const scheduled = { version: '0', 'detail-type': 'Scheduled Event', source: 'aws.events', detail: {} };

async function stored(): Promise<{ nodes: any[]; services: any[]; agents: any[] }> {
  const replies = await Promise.all(['nodes', 'services', 'agents'].map((list) => api('GET', `/v1/${list}`)));
  return Object.assign({}, ...replies.map(({ body }) => body));
}
const launch = async (id: string) => {
  instances.set(id, 'InService');
  await follow(eventOf('Launch', id));
};
const terminate = async (id: string) => {
  instances.set(id, 'Terminated');
  await follow(eventOf('Terminate', id));
};
const nothing = { nodes: [], services: [], agents: [] };

test('an instance is in the inventory from its launch to its end, once despite repeated events', async () => {
  await launch('i-0123456789abcdef0');
  await follow(eventOf('Launch', 'i-0123456789abcdef0'));
  const { nodes, services, agents } = await stored();
  expect(nodes).toMatchObject([
    { node_name: 'db-i-0123456789abcdef0', region: 'eu-central-1', az: 'eu-central-1a', revision: 1 },
  ]);
  expect(services).toMatchObject([{ node_ids: [nodes[0].node_id], address: 'i-0123456789abcdef0', revision: 1 }]);
  expect(agents).toMatchObject([{ agent_type: 'pmm_agent', runs_on_node_id: nodes[0].node_id, revision: 1 }]);
  await terminate('i-0123456789abcdef0');
  await follow(eventOf('Terminate', 'i-0123456789abcdef0'));
  expect(await stored()).toEqual(nothing);
});

test("a launch that arrives after its instance's end adds nothing", async () => {
  await terminate('i-00000000000000001');
  await follow(eventOf('Launch', 'i-00000000000000001'));
  instances.delete('i-00000000000000001');
  await follow(eventOf('Launch', 'i-00000000000000001'));
  expect(await stored()).toEqual(nothing);
});

test('an end removes everything that was added on the node since', async () => {
  await launch('i-00000000000000002');
  const { nodes } = await stored();
  const body = { service_type: 'postgresql', service_name: 'more', node_ids: [nodes[0].node_id], socket: '/s' };
  expect((await api('POST', '/v1/services', { body })).status).toBe(201);
  await terminate('i-00000000000000002');
  expect(await stored()).toEqual(nothing);
});

test("a comparison adds instances of lost launches and removes those of lost ends, only among the group's nodes", async () => {
  for (const name of ['other', 'db-other-group'])
    await api('POST', '/v1/nodes', { body: { node_type: 'generic', node_name: name, address: name } });
  await launch('i-00000000000000003');
  instances.delete('i-00000000000000003');
  instances.set('i-00000000000000004', 'InService').set('i-00000000000000005', 'Terminating:Wait');
  await follow(scheduled);
  await follow(scheduled);
  const { nodes, services } = await stored();
  expect(nodes.map(({ node_name: name }) => name).sort()).toEqual([
    'db-i-00000000000000004',
    'db-other-group',
    'other',
  ]);
  expect(services).toMatchObject([{ service_name: 'mysql-i-00000000000000004', revision: 1 }]);
});

test('a request to AWS is signed, and its refusal is an error that Lambda repeats', async () => {
  const { authorization, body } = requests.at(-1)!;
  expect(authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/autoscaling\/aws4_request, SignedHeaders=/,
  );
  expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
    Action: 'DescribeAutoScalingGroups',
    Version: '2011-01-01',
    'AutoScalingGroupNames.member.1': 'databases',
  });
  status = 400;
  await expect(follow(eventOf('Launch', 'i-00000000000000006'))).rejects.toThrow('400 Throttling');
});

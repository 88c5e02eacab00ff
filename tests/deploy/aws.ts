import { APIGatewayClient, GetRestApisCommand } from '@aws-sdk/client-api-gateway';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { setTimeout as delay } from 'node:timers/promises';
import { DocumentTableClient } from '../../shared/db/client.ts';
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  ListSecretsCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

import type { Table } from '../../shared/db/table.ts';

const REGION = 'us-east-1';

/** Looks into the emulated account, past the service. */
export class Account {
  readonly endpoint: string;
  private readonly settings;

  constructor(endpoint: string) {
    this.endpoint = endpoint;
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    this.settings = { endpoint, region: REGION, credentials, maxAttempts: 1 };
  }

  /** A request to a service that none of our dependencies is a client of. The emulator checks no signature. */
  private async send(service: string, path: string, options: RequestInit = {}): Promise<string> {
    const scope = `Credential=test/20260101/${REGION}/${service}/aws4_request`;
    const response = await fetch(`${this.endpoint}${path}`, {
      ...options,
      headers: {
        Authorization: `AWS4-HMAC-SHA256 ${scope}, SignedHeaders=host, Signature=0`,
        ...(options.headers as Record<string, string>),
      },
      signal: AbortSignal.timeout(300_000),
    });
    return response.text();
  }

  private query(service: string, parameters: Record<string, string>): Promise<string> {
    return this.send(service, '/', { method: 'POST', body: new URLSearchParams(parameters) });
  }

  private logs(action: string, body: unknown): Promise<any> {
    return this.call('logs', `Logs_20140328.${action}`, '1.1', body);
  }

  /** An operation of a service that speaks JSON. */
  private async call(service: string, target: string, version: string, body: unknown): Promise<any> {
    const headers = { 'X-Amz-Target': target, 'Content-Type': `application/x-amz-json-${version}` };
    return JSON.parse(await this.send(service, '/', { method: 'POST', headers, body: JSON.stringify(body) }));
  }

  private events(action: string, body: unknown): Promise<any> {
    return this.call('events', `AWSEvents.${action}`, '1.1', body);
  }

  private queues(action: string, body: unknown): Promise<any> {
    return this.call('sqs', `AmazonSQS.${action}`, '1.0', body);
  }

  /** Puts the events of a pattern into a new queue; gives back how to ask what has come in. */
  async receiveEvents(name: string, pattern: object): Promise<() => Promise<any[]>> {
    const { QueueUrl } = await this.queues('CreateQueue', { QueueName: name });
    const { Attributes } = await this.queues('GetQueueAttributes', { QueueUrl, AttributeNames: ['QueueArn'] });
    await this.events('PutRule', { Name: name, EventPattern: JSON.stringify(pattern) });
    await this.events('PutTargets', { Rule: name, Targets: [{ Id: 'queue', Arn: Attributes.QueueArn }] });
    return async () => {
      const { Messages = [] } = await this.queues('ReceiveMessage', { QueueUrl, MaxNumberOfMessages: 10 });
      return Messages.map(({ Body }: any) => JSON.parse(Body));
    };
  }

  async accountId(): Promise<string> {
    const answer = await this.query('sts', { Action: 'GetCallerIdentity', Version: '2011-06-15' });
    return /<Account>(.*?)<\/Account>/.exec(answer)?.[1] ?? '';
  }

  async stacks(): Promise<string[]> {
    const answer = await this.query('cloudformation', { Action: 'DescribeStacks', Version: '2010-05-15' });
    return [...answer.matchAll(/<StackName>(.*?)<\/StackName>/g)].map(([, name]) => name!);
  }

  /** Creates a stack from a template in a bucket, as the console of CloudFormation does. @returns its status. */
  async createStack(name: string, bucket: string, key: string): Promise<string> {
    await this.changeStack('CreateStack', name, { TemplateURL: `${this.endpoint}/${bucket}/${key}` });
    return this.statusOf(name);
  }

  /** Creates or updates a stack. @returns its status. */
  async deployTemplate(name: string, template: string): Promise<string> {
    const exists = (await this.stacks()).includes(name);
    await this.changeStack(exists ? 'UpdateStack' : 'CreateStack', name, { TemplateBody: template });
    return this.statusOf(name);
  }

  /** @returns its status; of a stack that was deleted, the reply that says so. */
  async deleteStack(name: string): Promise<string> {
    await this.changeStack('DeleteStack', name, {});
    return this.statusOf(name);
  }

  private async changeStack(Action: string, StackName: string, template: Record<string, string>): Promise<void> {
    const capabilities = { 'Capabilities.member.1': 'CAPABILITY_IAM' };
    const parameters = { Action, Version: '2010-05-15', StackName, ...template, ...capabilities };
    const answer = await this.query('cloudformation', parameters);
    if (answer.includes('<Error>')) throw new Error(answer);
  }

  /** The status of a stack after its present change. */
  private async statusOf(StackName: string): Promise<string> {
    for (;;) {
      const answer = await this.query('cloudformation', { Action: 'DescribeStacks', Version: '2010-05-15', StackName });
      const status = /<StackStatus>(.*?)<\/StackStatus>/.exec(answer)?.[1] ?? answer;
      if (!status.endsWith('_IN_PROGRESS')) return status;
      await delay(200);
    }
  }

  /** All events of a stack, with their reasons. */
  stackEvents(StackName: string): Promise<string> {
    return this.query('cloudformation', { Action: 'DescribeStackEvents', Version: '2010-05-15', StackName });
  }

  async restApis(): Promise<string[]> {
    const { items = [] } = await new APIGatewayClient(this.settings).send(new GetRestApisCommand({}));
    return items.map(({ id }) => id!);
  }

  /** The id of the API of a stack. */
  async restApiOf(stackName: string): Promise<string> {
    const { items = [] } = await new APIGatewayClient(this.settings).send(new GetRestApisCommand({}));
    const ids = items.filter(({ name = '' }) => name.startsWith(`${stackName}-`)).map(({ id = '' }) => id);
    expect(ids).toHaveLength(1);
    return ids[0]!;
  }

  table(name: string): Table {
    return { client: new DocumentTableClient(this.settings), name };
  }

  async tables(): Promise<string[]> {
    const { TableNames } = await new DynamoDBClient(this.settings).send(new ListTablesCommand({}));
    return TableNames!;
  }

  async secrets(): Promise<string[]> {
    const { SecretList = [] } = await new SecretsManagerClient(this.settings).send(new ListSecretsCommand({}));
    return SecretList.map(({ ARN }) => ARN!);
  }

  async secret(id: string): Promise<string> {
    const client = new SecretsManagerClient(this.settings);
    return (await client.send(new GetSecretValueCommand({ SecretId: id }))).SecretString!;
  }

  /** @returns the id. */
  async addHostedZone(name: string): Promise<string> {
    const zone = `<Name>${name}</Name><CallerReference>${name}</CallerReference>`;
    const body = `<CreateHostedZoneRequest xmlns="https://route53.amazonaws.com/doc/2013-04-01/">${zone}</CreateHostedZoneRequest>`;
    const answer = await this.send('route53', '/2013-04-01/hostedzone', { method: 'POST', body });
    const [, id] = /<Id>\/hostedzone\/(Z\w+)<\/Id>/.exec(answer) ?? [];
    if (id === undefined) throw new Error(answer);
    return id;
  }

  /** @returns the ARN. */
  async addSecret(name: string, text: string): Promise<string> {
    const command = new CreateSecretCommand({ Name: name, SecretString: text });
    return (await new SecretsManagerClient(this.settings).send(command)).ARN!;
  }

  async buckets(): Promise<string[]> {
    const { Buckets = [] } = await this.s3().send(new ListBucketsCommand({}));
    return Buckets.map(({ Name }) => Name!);
  }

  async createBucket(bucket: string): Promise<void> {
    await this.s3().send(new CreateBucketCommand({ Bucket: bucket }));
  }

  async putFile(bucket: string, key: string, body: Uint8Array): Promise<void> {
    await this.s3().send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body }));
  }

  async file(bucket: string, key: string): Promise<string> {
    const { Body } = await this.s3().send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    return Body!.transformToString();
  }

  async files(bucket: string): Promise<string[]> {
    const { Contents = [] } = await this.s3().send(new ListObjectsV2Command({ Bucket: bucket }));
    return Contents.map(({ Key }) => Key!);
  }

  private s3(): S3Client {
    return new S3Client({ ...this.settings, forcePathStyle: true });
  }

  async functions(): Promise<string[]> {
    const { Functions } = JSON.parse(await this.send('lambda', '/2015-03-31/functions/')) as { Functions: any[] };
    return Functions.map(({ FunctionName }) => FunctionName);
  }

  async roles(): Promise<string[]> {
    const answer = await this.query('iam', { Action: 'ListRoles', Version: '2010-05-08' });
    return [...answer.matchAll(/<RoleName>(.*?)<\/RoleName>/g)].map(([, name]) => name!);
  }

  async logGroups(): Promise<string[]> {
    const { logGroups } = await this.logs('DescribeLogGroups', {});
    return logGroups.map(({ logGroupName }: any) => logGroupName);
  }

  /** All that was ever logged, by group. */
  async logged(): Promise<Record<string, string>> {
    const groups = await this.logGroups();
    const texts = groups.map(async (logGroupName) => {
      const { events, nextToken } = await this.logs('FilterLogEvents', { logGroupName, limit: 10_000 });
      if (nextToken !== undefined) throw new Error(`There is more in ${logGroupName} than is looked at.`);
      return [logGroupName, events.map(({ message }: any) => message).join('\n')] as const;
    });
    return Object.fromEntries(await Promise.all(texts));
  }
}

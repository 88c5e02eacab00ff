import { APIGatewayClient, GetRestApisCommand } from '@aws-sdk/client-api-gateway';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListBucketsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

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
      signal: AbortSignal.timeout(20_000),
    });
    return response.text();
  }

  private query(service: string, parameters: Record<string, string>): Promise<string> {
    return this.send(service, '/', { method: 'POST', body: new URLSearchParams(parameters) });
  }

  private async logs(action: string, body: unknown): Promise<any> {
    const headers = { 'X-Amz-Target': `Logs_20140328.${action}`, 'Content-Type': 'application/x-amz-json-1.1' };
    return JSON.parse(await this.send('logs', '/', { method: 'POST', headers, body: JSON.stringify(body) }));
  }

  async accountId(): Promise<string> {
    const answer = await this.query('sts', { Action: 'GetCallerIdentity', Version: '2011-06-15' });
    return /<Account>(.*?)<\/Account>/.exec(answer)?.[1] ?? '';
  }

  async stacks(): Promise<string[]> {
    const answer = await this.query('cloudformation', { Action: 'DescribeStacks', Version: '2010-05-15' });
    return [...answer.matchAll(/<StackName>(.*?)<\/StackName>/g)].map(([, name]) => name!);
  }

  async restApis(): Promise<string[]> {
    const { items = [] } = await new APIGatewayClient(this.settings).send(new GetRestApisCommand({}));
    return items.map(({ id }) => id!);
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

  async buckets(): Promise<string[]> {
    const { Buckets = [] } = await this.s3().send(new ListBucketsCommand({}));
    return Buckets.map(({ Name }) => Name!);
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

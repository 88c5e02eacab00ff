import { APIGatewayClient, GetAccountCommand, UpdateAccountCommand } from '@aws-sdk/client-api-gateway';
import { IAMClient } from '@aws-sdk/client-iam';
import { customResource } from '../custom-resource.ts';
import { ensureLogRole } from './ensure-log-role.ts';
import { roleExists } from './role-exists.ts';

const client = new APIGatewayClient({});

// In an isolated VPC nothing answers, and the step has less than three minutes.
const iam = new IAMClient({ maxAttempts: 2, requestHandler: { connectionTimeout: 5000, requestTimeout: 10_000 } });

export const handler = customResource(
  ensureLogRole({
    logRole: async () => (await client.send(new GetAccountCommand({}))).cloudwatchRoleArn,
    setLogRole: async (arn) => {
      const operation = { op: 'replace', path: '/cloudwatchRoleArn', value: arn } as const;
      await client.send(new UpdateAccountCommand({ patchOperations: [operation] }));
    },
    roleExists: (arn) => roleExists(iam, arn),
  }),
);
